#!/usr/bin/env python3
"""What CivilTimeTests expects, by Python's zoneinfo: walks from minute to minute through 40 days and looks at the local clock.

A roll-over is the first minute of a local date at which the local clock shows the time or a later one."""

from datetime import datetime, timezone
from zoneinfo import ZoneInfo

EPOCH = datetime(1970, 1, 1)


def local(instant, zone):
    return datetime.fromtimestamp(instant, timezone.utc).astimezone(zone).replace(tzinfo=None)


def runs(instants):
    """The first one, and then how often which gap follows: 24 gaps of 3600 s are `3600x24`."""
    words = []
    for gap in (b - a for a, b in zip(instants, instants[1:])):
        if words and words[-1][0] == gap:
            words[-1][1] += 1
        else:
            words.append([gap, 1])
    return f"{instants[0]} " + " ".join(f"{gap}x{count}" for gap, count in words)


for name in ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe"]:
    zone = ZoneInfo(name)
    for start in ["2026-03-01", "2026-09-28"]:
        begin = int(datetime.fromisoformat(start + "T00:00:00+00:00").timestamp())
        minutes = range(begin + 60, begin + 40 * 86_400 + 1, 60)
        rolled = {time: [] for time in ["00:00", "02:00", "02:30", "04:00"]}
        for instant in minutes:
            now, before = local(instant, zone), local(instant - 60, zone)
            for time, instants in rolled.items():
                mark = now.replace(hour=int(time[:2]), minute=int(time[3:]))
                # Yesterday's clock was past it, too: of a new date the mark is ahead again.
                if now >= mark > before and (not instants or local(instants[-1], zone).date() < now.date()):
                    instants.append(instant)
        print(f'("{name}", "{start}", {begin}, [')
        for time, instants in rolled.items():
            print(f'    "{time}": "{runs(instants)}",')
        print("]),")
    for before, after in zip(range(1_767_225_600, 1_798_761_600, 60), range(1_767_225_660, 1_798_761_660, 60)):
        if local(after, zone) - local(before, zone) != (local(60, timezone.utc) - local(0, timezone.utc)):
            for instant in [after - 1, after]:
                clock = local(instant, zone)
                offset = int((clock - local(instant, timezone.utc)).total_seconds())
                days = (clock - EPOCH).days
                print(f"{name} {instant} {offset} {days} {clock.hour} {clock.hour * 3600 + clock.minute * 60 + clock.second} {clock}")

#!/usr/bin/env python3
"""Somebody looks after a venue and its devices at the console, in a real Chromium: sees the week's hours, chooses a preset, calibrates with a
meter, tries touchscreens, motors and sound, and is told what to do about what is wrong. Leaves pictures. Prints a line for each claim, PASS
or FAIL.

    venue.py THRUMD FOLDER
"""
import os
import sys
import tempfile
import time
from datetime import date, datetime, timedelta, timezone

from claims import claim, end
from stage import Stage, wait_for

thrumd, folder = sys.argv[1:]
os.makedirs(folder, exist_ok=True)

# No machine that runs this has touchscreens, motors and a sound server: `fakes` changes what the engine answers, method by method.
SPY = """window.fakes = {}; window.boxes = 0
const methods = new Map(), send = WebSocket.prototype.send, parse = JSON.parse
WebSocket.prototype.send = function (text) {
    const {id, method} = parse(text)
    methods.set(id, method)
    send.call(this, text)
}
JSON.parse = function (...given) {
    const answer = parse(...given), fake = answer?.result && fakes[methods.get(answer.id)]
    if (fake) answer.result = fake(answer.result)
    return answer
}
for (const name of ["alert", "confirm", "prompt"]) window[name] = () => { boxes += 1 }"""

PLUGGED = """
fakes["device.list"] = () => ({
    touchscreens: [{name: "left", node: "/dev/input/event3", drops: 0}, {name: "right", node: "/dev/input/event4", drops: 2}],
    motors: [{name: "Pad", node: "/dev/input/event7", drive: "rumble", slots: 16, held: 3, plays: window.plays ?? 4, missed: 0, uploads: 3, touchToEffectMilliseconds: 2.31},
             {name: "<img src=x onerror='boxes += 1'>", node: "/dev/input/event8", drive: "sine", slots: 8, held: 0, plays: 0, missed: 0, uploads: 0, issue: "it does not play: No such device"}],
    unused: [{name: "Wacom Pen", node: "/dev/input/event9", reason: "a pen, but no rule fits it", rule: 'touchscreens: {pen: {name: "Wacom Pen", kind: pen}}'}],
    patterns: 12, refused: 1, missing: ["centre"], transducers: [3, 4]})
fakes["output.sinks"] = () => ({sinks: [
    {name: "alsa_output.usb", description: "USB speakers", channels: 4, channelNames: ["front-left", "front-right", "rear-left", "rear-right"], sampleRate: 48000, isDefault: true, isMuted: false, volume: -6},
    {name: "alsa_output.hdmi", description: "HDMI", channels: 2, channelNames: ["front-left", "front-right"], sampleRate: 44100, isDefault: false, isMuted: true, volume: 0}]})
fakes["status"] = status => ({...status, output: {...status.output, kind: "pulse", state: "connected", server: "PulseAudio 16.1", sink: "USB speakers",
    isRealtime: true, volumeByOthers: -6, underruns: 2}})
"""

settings = tempfile.NamedTemporaryFile("w", suffix=".yaml")
HOLIDAY, EVENT = date.today() + timedelta(days=2), date.today() + timedelta(days=4)
WEEK = f"""schedule:
  fade: 0
  otherwise: quiet-day
  hours:
    night: {{days: daily, from: 22:00, to: 10:00, preset: silent}}
    open: {{days: tue-sun, from: 13:00, to: 18:00, preset: normal}}
  dates:
    {HOLIDAY}: closed
    {EVENT}: {{from: 18:00, to: 01:00, preset: sensory-friendly}}
"""


def write(hearing=""):
    settings.seek(0)
    settings.truncate()
    settings.write("experience: colorscroller\n" + hearing + WEEK)
    settings.flush()


write("hearing: {calibration: 90, limit: 82, session: 20}\n")
stage = Stage(thrumd, "console", ["--config", settings.name, "--seed", "7"], size=(1280, 800), before=SPY)
try:
    script, text, shows = stage.script, stage.text, stage.shows
    address = stage.browser.current_url
    count = lambda place: script("return document.querySelectorAll(arguments[0]).length", place)
    house = lambda: stage.ask("status")["house"]
    violations = []

    def press(place):
        wait_for(lambda: shows(place) and script("return !document.querySelector(arguments[0]).disabled", place), 5, place)
        script("document.querySelector(arguments[0]).click()", place)

    def put(place, value):
        wait_for(lambda: shows(place), 3, place)
        script("""const e = document.querySelector(arguments[0])
            e.value = arguments[1]
            for (const type of ["input", "change"]) e.dispatchEvent(new Event(type, {bubbles: true}))""", place, value)

    def go(view):
        press(f"#rail [data-view={view}]")
        wait_for(lambda: shows(f".view.{view} .board"), 5, view)

    def check(name):
        """A picture in each scheme, of the whole page, and what axe-core finds in it."""
        for colours in ["dark", "light"]:
            stage.devtools("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": colours}])
            time.sleep(0.3)
            stage.picture(f"{folder}/{name}-{colours}.png")
            for part in range(1, 4):
                if not script("const m = document.querySelector('main'); const top = m.scrollTop; m.scrollTop += m.clientHeight - 60; return m.scrollTop > top"):
                    break
                stage.picture(f"{folder}/{name}-{colours}-{part}.png")
            script("document.querySelector('main').scrollTop = 0")
            violations.extend(f"{name}, {colours}: {found}" for found in stage.axe())

    fits = lambda: script("return [document.documentElement, document.querySelector('main')].every(e => e.scrollWidth <= innerWidth)")

    def size(width, height):
        stage.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 500)
        stage.size = (width, height)

    def come(token="", query=""):
        stage.browser.get("about:blank")
        stage.browser.get(f"{address}{query}{f'#token={token}' if token else ''}")
        wait_for(lambda: shows(".view.now > *"), 8, "the console")

    # The week.
    wait_for(lambda: shows("#rail [data-view=venue]"), 8, "the console")
    go("venue")
    wait_for(lambda: count(".week .hours") == 7, 5, "seven days")
    week = stage.ask("schedule.week")
    drawn = script("return [...document.querySelectorAll('.week .hours')].map(row => [...row.querySelectorAll('.piece')].map(piece => piece.textContent))")
    midnights = [day["start"] for day in week["days"]] + [week["spans"][-1]["until"]]
    expected = [[span["preset"] for span in week["spans"] if span["start"] < until and span["until"] > start] for start, until in zip(midnights, midnights[1:])]
    claim(drawn == expected, f"each day has the presets that the schedule has for it {drawn}")
    today = "document.querySelector('.week li .hours')"
    part = lambda: script(f"const m = {today}.querySelector('.moment').getBoundingClientRect(), r = {today}.getBoundingClientRect(); return (m.x + m.width / 2 - r.x) / r.width")
    passed = (time.time() - midnights[0]) / (midnights[1] - midnights[0])
    claim(abs(part() - passed) < 0.01, "the present moment stands in today's row, where it is")
    marked = script("return [...document.querySelectorAll('.week li')].map(row => row.querySelector('b.exception') !== null).slice(0, 7)")
    # Midnight may have come since the start.
    holiday = [datetime.fromtimestamp(day["start"] + day["utcOffset"], timezone.utc).date() for day in week["days"]].index(HOLIDAY)
    claim(marked == [day in (holiday, holiday + 2) for day in range(7)], f"dates with hours of their own are marked {marked}")
    of_dates = script("return [...document.querySelectorAll('.week .hours')].map(row => [...row.querySelectorAll('[data-date]')].map(piece => piece.dataset.date))")
    claim(set(of_dates[holiday + 1]) == {str(HOLIDAY)} and set(of_dates[holiday + 2]) == {str(EVENT)} and str(EVENT) in of_dates[holiday + 3], f"so is what they decide, also past midnight {of_dates}")
    named = script("return document.querySelectorAll('.week .hours')[arguments[0]].getAttribute('aria-label')", holiday)
    claim(str(HOLIDAY.day) in named and "exception" in named, f"and said to a reader of screens: {named}")
    claim("a date with hours of its own" in text(".legend"), "the mark is explained")
    claim("silent, closed" in text(".legend") and "normal" in text(".legend"), "what is closed is said, and not by colour alone")
    claim(f"Now {house()['preset']}" in text(".onNow") and "From " in text(".onNow"), f"what is on, and what comes next, is said: {text('.onNow')}")
    check("venue")
    press(".inWords ~ summary, .weekly summary")
    claim("10:00" in text(".inWords") or "10:00 AM" in text(".inWords"), "the hours are there in words")
    press(".weekly summary")
    press("[data-preset='sensory-friendly']")
    wait_for(lambda: house()["preset"] == "sensory-friendly" and "chosen by hand" in text(".onNow"), 5, "by hand")
    claim(script("return document.querySelector('[data-preset=\"sensory-friendly\"]').ariaPressed") == "true", "a preset is chosen for a day that is no week's")
    press("[data-preset='']")
    wait_for(lambda: not house()["isByHand"] and "chosen by hand" not in text(".onNow"), 5, "by the schedule")
    claim(True, "and the schedule decides again")

    # Ears.
    claim("82 dBA" in text(".ears") and "name no country" in text(".ears") and "20 %" in text(".ears"), "the day's limit and a visitor's share are told")
    claim(shows(".allowance[role=meter]"), "the day's dose is drawn against what is allowed")

    # The walk-through.
    wait_for(lambda: "output is null" in text("[data-step=prepare]"), 3, "obstacles")
    claim(True, "what is in the way of calibrating is said")
    press("[data-step=prepare] [data-do=normal]") if house()["preset"] != "normal" else stage.ask("preset.set", name="normal")
    wait_for(lambda: house()["preset"] == "normal" and shows("[data-do=bySchedule]"), 5, "normal")
    told = stage.watch("cue")
    cues = lambda name, field: [cue[field] for _, cue in list(told.told) if cue["cue"] == name]
    press("[data-do=tone]")
    wait_for(lambda: True in cues("tone.gate", "open"), 5, "a tone")
    claim((cues("tone.pitch", "frequency")[-1], cues("tone.level", "level")[-1]) == (1000, -20), "a tone of known pitch and level sounds")
    wait_for(lambda: script("return document.querySelector('[data-do=tone]').ariaPressed") == "true", 3, "pressed")
    check("venue-tone")
    told.new()
    go("now")
    took = wait_for(lambda: False in cues("tone.gate", "open"), 5, "the tone's end")
    claim(took < 20, "it ends when somebody goes to another view")
    go("venue")
    claim("entered" in text("[data-step=write]") and not shows("[data-step=write] [data-do=reload]"), "without the meter's figure there is no line")
    put("#reading", "5")
    claim("40 to 140" in text(".result"), "a figure that cannot be is refused, and says what was expected")
    put("#reading", "76")
    put("#room", "70")
    claim("less than 10 dB" in text(".result"), "a tone too near to the room's own noise is told to be played louder")
    put("#room", "45")
    put("#country", "FR")
    line = lambda: text(".result pre")
    claim(line() == "hearing: {calibration: 96, country: FR, limit: 82, session: 20}", f"the line keeps what else is in the settings {line()}")
    claim(settings.name in text(".result") and "line 2" in text(".result"), "and is told where to stand")
    check("venue-calibrated")
    put("#toneLevel", "-10")
    wait_for(lambda: "entered" in text("[data-step=write]"), 3, "no line")
    claim(script("return document.getElementById('reading').value") == "", "what the meter showed of another level is cleared")
    put("#toneLevel", "-20")
    put("#reading", "76")
    wait_for(lambda: line() == "hearing: {calibration: 96, country: FR, limit: 82, session: 20}", 3, "the line again")
    press("[data-step=write] [data-do=reload]")
    wait_for(lambda: "Is the line in the file?" in text("[data-step=write] > .outcome"), 5, "nothing new")
    claim(True, "a reload without the line says so")
    write("hearing: {calibration: 96, country: DE}\n")
    press("[data-step=write] [data-do=reload]")
    wait_for(lambda: "new calibration counts" in text("[data-step=write] > .outcome"), 5, "calibrated")
    wait_for(lambda: "Germany: at most 99 dBA on average over 30 minutes (DIN 15905-5)" in text(".ears"), 5, "the law")
    claim("84 dBA for 8 hours" in text(".ears") and "96 dB" in text(".ears"), "the new limit and what the country allows are told in words")
    press("[data-do=bySchedule]")
    wait_for(lambda: not house()["isByHand"], 5, "the schedule")
    write()
    stage.ask("setting.reload")
    wait_for(lambda: "not calibrated" in text(".ears"), 5, "no calibration")
    claim("Add this line to" in text(".result"), "where there is no calibration, it is said what that means, and where the first one goes")

    # Devices as they are here.
    go("devices")
    wait_for(lambda: "output is null" in text("[data-list=output]"), 5, "the output")
    claim("USB cable" in text("[data-list=screens]") and "Plug one in" in text("[data-list=motors]"), "what is not there has something to do about it")
    press("[data-do=motors]")
    wait_for(lambda: "There is no motor" in text(".card.motors .outcome"), 8, "no motor")
    claim(True, "a motor test without a motor says so")
    told.new()
    put("#chime", "unlock")
    press("[data-do=sound]")
    wait_for(lambda: any(cue.get("name") == "unlock" for _, cue in told.told), 5, "a chime")
    claim(True, "a chime tries the sound")
    told.new()
    put("#noiseLevel", "-30")
    press("[data-do=noise]")
    wait_for(lambda: any((cue["cue"], cue.get("level")) == ("noise", -30) for _, cue in told.told), 5, "noise")
    check("devices-noise")
    claim(script("return document.querySelector('[data-do=noise]').ariaPressed") == "true", "pink noise checks the loudspeakers, at a stated level")
    press("[data-do=noise]")
    wait_for(lambda: any((cue["cue"], cue.get("on")) == ("noise", False) for _, cue in told.told), 5, "the noise's end")
    press("[data-do=noise]")
    wait_for(lambda: script("return document.querySelector('[data-do=noise]').ariaPressed") == "true", 5, "noise again")
    stage.ask("stop")
    wait_for(lambda: script("return document.querySelector('[data-do=noise]').ariaPressed") == "false", 5, "the noise's end by another")
    claim("has ended" in text(".noise .outcome"), "what another ends is told")
    claim("speaker-test -D pulse" in text(".noise pre"), "and it is said how one loudspeaker is heard alone")
    lit = lambda: count(".lights [data-lit]")
    drags = [("touch", {"phase": "began", "id": 1, "x": 0.05, "y": 0.04})] + [("touch", {"phase": "moved", "id": 1, "x": 0.05 + 0.15 * step, "y": 0.04}) for step in range(7)]
    finger = stage.hold(drags)
    wait_for(lambda: lit() >= 2 and count(".card.touchtest .finger") == 1, 5, "fields")
    claim("1 finger" in text(".card.touchtest figcaption") and " of 66 fields" in text(".card.touchtest figcaption"), f"a finger lights the fields that it crosses {lit()}")
    check("devices-bare")
    finger.close()
    wait_for(lambda: count(".card.touchtest .finger") == 0, 5, "the finger goes")
    claim(lit() >= 2, "they stay lit")
    press("[data-do=anew]")
    claim(lit() == 0 and "0 of 66" in text(".card.touchtest figcaption"), "until they are told to be dark")

    # Devices of a whole box.
    script(PLUGGED)
    go("now")
    go("devices")
    wait_for(lambda: "USB speakers" in text("[data-list=sinks]"), 5, "sinks")
    claim("left" in text("[data-list=screens]") and "drop its events 2 times" in text("[data-list=screens]"), "touchscreens are told, and what is wrong with one")
    claim("may not be opened" in text("[data-list=screens]") and "centre" in text("[data-list=screens]"), "so are devices that may not be opened, and rules without one")
    claim("no rule fits it" in text("[data-list=unused]") and "kind: pen" in text("[data-list=unused] pre"), "what is not used says why, and which line would use it")
    claim("two rumble motors" in text("[data-list=motors]") and "2.3 ms" in text("[data-list=motors]") and "channels 3, 4" in text("[data-list=motors]"), "motors and transducers are told")
    claim("No such device. Pull its plug" in text("[data-list=motors]"), "a motor that does not play has something to do about it")
    claim("−6 dB" in text("[data-list=output]") and "2 underruns" in text("[data-list=output]"), "so has an output that others have turned down")
    claim("pactl set-sink-mute alsa_output.hdmi 0" in text("[data-list=sinks]"), "and a sink that is muted")
    claim(script("return document.querySelector('.devices img') === null && boxes === 0") and "<img" in text("[data-list=motors]"), "what a device calls itself is text")
    press("[data-do=motors]")
    time.sleep(0.2)
    script("window.plays = 5")
    wait_for(lambda: "Pad: it has played." in text(".card.motors .outcome"), 8, "a motor")
    claim("it does not play: No such device" in text(".card.motors .outcome"), "a motor test says of each motor whether it played")
    check("devices")

    # A phone.
    size(390, 844)
    for language in ["en", "de"]:
        write("hearing: {calibration: 96, country: FR-children}\n")
        stage.ask("setting.reload")
        come(query=f"?lang={language}")
        go("venue")
        wait_for(lambda: count(".week .hours") == 7 and shows(".law"), 5, "the week")
        put("#reading", "76")
        check(f"phone-venue-{language}")
        claim(fits(), f"phone, venue, {language}: all is within the screen")
        script(PLUGGED)
        go("devices")
        wait_for(lambda: "USB speakers" in text("[data-list=sinks]"), 5, "sinks")
        check(f"phone-devices-{language}")
        claim(fits(), f"phone, devices, {language}: all is within the screen")

    # Without an operator's token.
    for role in ["watch", "volume"]:
        come(stage.ask("token.add", name=f"a-{role}", role=role)["token"])
        go("venue")
        wait_for(lambda: count(".week .hours") == 7 and shows(".law"), 5, "the week")
        claim(not shows(".card.calibrating") and count("[data-preset]") == 0, f"{role}: sees the venue, and is shown nothing to change")
        check(f"phone-venue-{role}")
        go("devices")
        wait_for(lambda: text("[data-list=output]") != "", 5, "the output")
        claim(not shows("[data-do=motors]") and not shows("[data-do=sound]"), f"{role}: sees devices, and plays nothing on them")
    come(stage.ask("token.add", name="a-visitor", role="visitor")["token"])
    claim(not shows("[data-view=venue]") and not shows("[data-view=devices]"), "visitor: has neither")

    claim(script("return boxes") == 0, "nothing is said in an alert")
    claim(violations == [], f"axe-core finds nothing {violations}")
    claim(stage.errors() == [], f"the page complains of nothing {stage.errors()}")
finally:
    stage.close()
end()

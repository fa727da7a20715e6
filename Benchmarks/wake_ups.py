"""Wake-ups a second of processes, all threads of each: the times that a thread gave up the processor by itself.

usage: wake_ups.py SECONDS PROCESS...        prints a line for each process

A thread that ends takes its count with it, so the counts are read four times a second.
"""

import glob
import re
import sys
import time


def counts(process):
    found = {}
    for path in glob.glob(f"/proc/{process}/task/*/status"):
        try:
            with open(path) as status:
                found[path] = int(re.search(r"^voluntary_ctxt_switches:\s*(\d+)", status.read(), re.M)[1])
        except OSError:
            pass
    return found


seconds, processes = int(sys.argv[1]), sys.argv[2:]
last = [counts(process) for process in processes]
totals = [0] * len(processes)
for _ in range(4 * seconds):
    time.sleep(0.25)
    for number, process in enumerate(processes):
        now = counts(process)
        totals[number] += sum(count - last[number].get(path, 0) for path, count in now.items())
        last[number] = now
for total in totals:
    print(f"{total / seconds:.1f}")

#!/usr/bin/env python3
"""Somebody finds, hears and saves what was recorded at the console, in a real Chromium: as an operator on a phone and at a desk, by a token
alone, and by one that only watches. Leaves pictures. Prints a line for each claim, PASS or FAIL.

    sessions.py THRUMD FOLDER THRUM
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

from selenium.webdriver.common.keys import Keys

from stage import Stage, wait_for

thrumd, folder, thrum = sys.argv[1:]
os.makedirs(folder, exist_ok=True)
failures = 0
violations = []


def claim(holds, what):
    global failures
    failures += not holds
    print("PASS" if holds else "FAIL", what, flush=True)


settings = tempfile.NamedTemporaryFile("w", suffix=".yaml")
settings.write("experience: colorscroller\n")
settings.flush()
stage = Stage(thrumd, "console", ["--config", settings.name, "--seed", "7", "--idle", "3600"], size=(390, 844))
saved = tempfile.mkdtemp()
try:
    script, text, shows = stage.script, stage.text, stage.shows
    address = stage.browser.current_url
    names = lambda: script("return [...document.querySelectorAll('[data-session]')].map(row => row.dataset.session)")

    def press(place):
        wait_for(lambda: shows(place), 3, place)
        script("document.querySelector(arguments[0]).click()", place)

    def come(token="", query=""):
        stage.browser.get("about:blank")
        stage.browser.get(f"{address}{query}{f'#token={token}' if token else ''}")
        press("#rail [data-view=sessions]")
        wait_for(lambda: shows(".view.sessions .recorded > *"), 8, "the list")

    def check(name):
        for colours in ["dark", "light"]:
            stage.devtools("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": colours}])
            time.sleep(0.3)
            stage.picture(f"{folder}/{name}-{colours}.png")
            violations.extend(f"{name}, {colours}: {found}" for found in stage.axe())

    def find(words):
        script("const e = document.getElementById('find'); e.value = arguments[0]; e.dispatchEvent(new Event('input'))", words)

    def plays():
        # A browser plays what somebody has asked for.
        stage.devtools("Runtime.evaluate", expression="document.querySelector('audio').play()", userGesture=True)
        wait_for(lambda: script("return document.querySelector('audio').currentTime") > 0.2, 8, "it plays")
        return script("return document.querySelector('audio').duration")

    wait_for(lambda: shows("#rail [data-view=sessions]"), 8, "the console")
    come()
    claim("No session yet" in text(".recorded"), "where nothing was recorded, that is said")
    check("phone-empty")

    # Two sessions that visitors had, one that was cut off, one that nobody can read, and one that goes on.
    made = stage.folder + "/sessions/"
    os.makedirs(made, exist_ok=True)
    for number, name in enumerate(["2026-01-02T10-00-00Z", "2026-01-02T11-30-00Z", "2026-01-03T09-15-00Z"]):
        command = [thrum, "simulate", "--seed", str(number), "--turns", str(20 + 40 * number), "-o", f"{made}{name}.jsonl"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        os.utime(f"{made}{name}.jsonl", (1_767_348_000 + 40_000 * number,) * 2)
    with open(made + "2026-01-03T09-15-00Z.jsonl", "rb+") as cut:
        cut.truncate(os.path.getsize(cut.name) // 2)
    with open(made + "2026-01-01T00-00-00Z.jsonl", "w") as broken:
        broken.write("nothing\n")
    # In one of them something went wrong, and somebody had made a mark before.
    rate, wrong, marked = 48_000, 100, 85
    lines = [json.loads(line) for line in open(made + "2026-01-02T11-30-00Z.jsonl")]
    place = next(number for number, line in enumerate(lines) if line.get("frame", 0) > wrong * rate)
    lines.insert(place, {"discontinuity": "gap", "frame": wrong * rate, "frames": 4_800})
    lines.insert(place, {"discontinuity": "gap", "frame": wrong * rate})
    place = next(number for number, line in enumerate(lines) if line.get("frame", 0) > marked * rate)
    lines.insert(place, {"client": 1, "event": "journal.mark", "frame": marked * rate, "text": "<b id=run>she laughs</b>"})
    with open(made + "2026-01-02T11-30-00Z.jsonl", "w") as journal:
        # A journal that was changed by hand has no sums.
        journal.writelines(json.dumps({key: value for key, value in line.items() if key != "sum"}) + "\n" for line in lines)
    os.utime(journal.name, (1_767_388_000,) * 2)
    held = stage.hold([("touch", {"phase": "began", "id": 1, "x": 0.5, "y": 0.7})])
    wait_for(lambda: any(session["isRunning"] for session in stage.ask("session.list")["sessions"]), 8, "a session goes on")
    come()
    claim(len(names()) == 5 and names()[1:4] == ["2026-01-03T09-15-00Z", "2026-01-02T11-30-00Z", "2026-01-02T10-00-00Z"], f"newest first {names()}")
    row = lambda name: text(f"[data-session='{name}']")
    claim("Goes on now" in row(names()[0]) and "Was cut off" in row(names()[1]) and "The visitor left" in row(names()[2]), "each says how it ended")
    claim("Cannot be read" in row(names()[4]), "one that cannot be read says so")
    claim(script("return document.documentElement.scrollWidth <= innerWidth"), "phone: all is within the screen")
    check("phone-list")
    find("JAN 2026-01-02")
    claim(names() == ["2026-01-02T11-30-00Z", "2026-01-02T10-00-00Z"] and "2 sessions" in text(".top"), "words of the date find sessions")
    find("")
    choose = lambda day: script("const e = document.querySelector('.finding [type=date]'); e.value = arguments[0]; e.dispatchEvent(new Event('change'))", day)
    choose("2026-01-03")
    claim(names() == ["2026-01-03T09-15-00Z"], "a day has its sessions")
    choose("")
    find("nowhere")
    claim("No session is like that" in text(".recorded"), "where nothing is found, that is said")
    find("")

    # Heard, and saved.
    session = "2026-01-02T11-30-00Z"
    press(f"[data-session='{session}'] summary")
    subprocess.run([thrum, "render", f"{made}{session}.jsonl", "-o", saved + "/rendered.wav"], check=True, stdout=subprocess.DEVNULL)
    seconds = (os.path.getsize(saved + "/rendered.wav") - 44) / 96_000
    claim(abs(plays() - seconds) < 0.01, "it plays, and its length is the rendering's")
    script("document.querySelector('audio').currentTime = arguments[0]", seconds - 5)
    wait_for(lambda: script("return document.querySelector('audio').currentTime") > seconds - 4.5, 8, "near its end")
    claim(True, "it plays from wherever somebody jumps to")
    script("document.querySelector('audio').pause()")
    wait_for(lambda: shows(".session .course"), 8, "its picture")
    told = text(f"[data-session='{session}'] .figures")
    chimes = sum(line.count('"cue": "chime"') for line in open(f"{made}{session}.jsonl"))
    claim(f"unlock × " in told and "Went wrong\n1" in told and chimes > 0, f"its figures are told {told!r}")
    claim("<b id=run>she laughs</b>" in text(".moments") and not shows("#run") and "1:25" in text(".moments"), "a mark is text, and stands where it was made")
    check("phone-opened")

    # Something went wrong: two taps lead to what was before, and to its sound.
    script("document.querySelector('.moments [data-wrong=true] [data-do=recall]').focus()")
    stage.browser.switch_to.active_element.send_keys(Keys.ENTER)
    wait_for(lambda: shows(".recall .lines li"), 8, "the 30 s before")
    recalled = text(".recall")
    claim("Sound was missing" in recalled and "1:40 into its session" in recalled, "it is said what went wrong, and when")
    claim("she laughs" in text(".recall .events") and "swipe" in text(".recall .events") and "−15.0 s" in text(".recall .events"), "with what happened before, and how long before")
    claim(script("return [...document.querySelectorAll('.recall .lines time')].every(time => /^[−+]/.test(time.innerText) && parseFloat(time.innerText.slice(1)) <= 30)"), "and nothing that is older than 30 s")
    stage.devtools("Runtime.evaluate", expression="document.querySelector('.recall audio').play()", userGesture=True)
    wait_for(lambda: script("return document.querySelector('.recall audio').currentTime") > 70.2, 8, "it plays from there")
    claim(script("return document.querySelector('.recall audio').currentTime") < 85, "its sound plays from 30 s before")
    script("document.querySelector('.recall audio').pause()")
    claim(script("return document.documentElement.scrollWidth <= innerWidth && document.querySelector('.recall').scrollWidth <= innerWidth"), "phone: the recorder is within the screen")
    check("phone-recall")
    stage.devtools("Emulation.setDeviceMetricsOverride", width=1280, height=800, deviceScaleFactor=1, mobile=False)
    check("desk-recall")
    stage.devtools("Emulation.setDeviceMetricsOverride", width=390, height=844, deviceScaleFactor=1, mobile=False)
    stage.devtools("Input.dispatchKeyEvent", type="keyDown", key="Escape", code="Escape", windowsVirtualKeyCode=27)
    wait_for(lambda: not shows(".recall"), 3, "it is closed")
    claim(script("return document.activeElement.dataset.do") == "recall", "the keyboard opens it, and Escape leads back to where it was opened")
    stage.devtools("Browser.setDownloadBehavior", behavior="allow", downloadPath=saved)
    for form, whole in [("wav", saved + "/rendered.wav"), ("jsonl", f"{made}{session}.jsonl")]:
        press(f"[data-save={form}]")
        path = f"{saved}/{session}.{form}"
        wait_for(lambda: os.path.exists(path) and os.path.getsize(path) == os.path.getsize(whole), 8, path)
        claim(open(path, "rb").read() == open(whole, "rb").read(), f"{form}: what is saved is what there is, to the byte")
    for size in [(1080, 1920), (1280, 800)]:
        stage.devtools("Emulation.setDeviceMetricsOverride", width=size[0], height=size[1], deviceScaleFactor=1, mobile=False)
        check(f"desk-{size[0]}")
    stage.devtools("Emulation.setDeviceMetricsOverride", width=390, height=844, deviceScaleFactor=1, mobile=False)
    come(query="?lang=de")
    press(f"[data-session='{session}'] summary")
    check("phone-de")
    claim(script("return document.documentElement.scrollWidth <= innerWidth"), "phone, in German: all is within the screen")

    # Deleted, at the second press.
    doomed = "2026-01-02T10-00-00Z"
    press(f"[data-session='{doomed}'] summary")
    press("[data-do=remove] button")
    claim(os.path.exists(f"{made}{doomed}.jsonl"), "a session is deleted only where that is asked once more")
    press("[data-do=remove] button.danger")
    wait_for(lambda: doomed not in names(), 8, "it is gone from the list")
    claim(not os.path.exists(f"{made}{doomed}.jsonl") and os.path.exists(f"{made}{session}.jsonl"), "and its journal is gone, and no other")
    wait_for(lambda: doomed in text(".removed"), 8, "who did it")
    claim(stage.ask("session.list")["removed"][0]["session"] == doomed, "and it is listed who deleted it, and when")
    # What cannot be read has nothing but its size, and can be deleted, too.
    unread = "2026-01-01T00-00-00Z"
    press(f"[data-session='{unread}'] summary")
    press(f"[data-session='{unread}'] [data-do=remove] button")
    claim("Journal" in row(unread) and not shows(f"[data-session='{unread}'] audio"), "one that cannot be read has no player")
    check("phone-unread")
    press(f"[data-session='{unread}'] [data-do=remove] button.danger")
    wait_for(lambda: unread not in names(), 8, "it is gone, too")
    claim(not os.path.exists(f"{made}{unread}.jsonl"), "one that cannot be read can be deleted")
    # Somebody else has deleted a session that is still on the page.
    press(f"[data-session='{session}'] summary")
    wait_for(lambda: shows(".moments [data-do=recall]"), 8, "its moments")
    os.rename(f"{made}{session}.jsonl", saved + "/away.jsonl")
    press(".moments [data-do=recall]")
    wait_for(lambda: "nicht mehr da" in text(".recall"), 8, "that it is gone")
    claim(True, "the recorder says that a session is gone, in words")
    os.rename(saved + "/away.jsonl", f"{made}{session}.jsonl")
    stage.devtools("Input.dispatchKeyEvent", type="keyDown", key="Escape", code="Escape", windowsVirtualKeyCode=27)
    wait_for(lambda: not shows(".recall"), 3, "it is closed")
    with open(made + "2026-01-01T00-00-00Z.jsonl", "w") as broken:
        broken.write("nothing\n")
    held.close()

    # By a token, where pages of this machine are visitors'.
    stage.kill()
    stage.command[stage.command.index("--http-local-role") + 1] = "visitor"
    stage.start()
    wall = stage.ask("token.add", name="wall", role="watch")["token"]
    come(wall)
    claim(shows(f"div[data-session='{unread}']"), "who may watch has nothing to open where nothing can be read")
    press(f"[data-session='{session}'] summary")
    claim(abs(plays() - seconds) < 0.01, "who may watch hears it by a token, which is in no address of a recording")
    claim(shows("[data-save=wav]") and not shows("[data-save=jsonl]"), "and is offered the sound, and not the journal")
    cookies = stage.devtools("Network.getCookies", urls=[address.split("/console")[0] + "/sessions/"])["cookies"]
    claim([(cookie["path"], cookie["httpOnly"], cookie["sameSite"]) for cookie in cookies] == [("/sessions/", True, "Strict")] and wall not in str(cookies),
          "the browser keeps a pass that no script reads, and that is not the token")
    claim(violations == [], f"axe-core finds nothing {violations}")
    claim(stage.errors() == [], f"the page complains of nothing {stage.errors()}")

    # The new engine knows no cookie of the old one.
    stage.kill()
    script("document.querySelector('audio').dataset.old = ''")
    stage.start()
    wait_for(lambda: script("const audio = document.querySelector('audio'); return audio !== null && !('old' in audio.dataset)"), 20, "the list of the new engine")
    claim(abs(plays() - seconds) < 0.01, "it plays after the engine's new start, too")
finally:
    stage.close()
    shutil.rmtree(saved, ignore_errors=True)
sys.exit(1 if failures else 0)

#!/usr/bin/env python3
"""Somebody looks after a box at the console, in a real Chromium: what is played and touched is seen, what is changed counts, a refusal says
why beside its button, and who has no operator's token is told what there is to see. Leaves pictures. Prints a line for each claim, PASS or
FAIL.

    box.py THRUMD FOLDER
"""
import os
import shutil
import sys
import tarfile
import tempfile
import time

from selenium.webdriver.common.keys import Keys

from claims import claim, end
from stage import Stage, wait_for

thrumd, folder = sys.argv[1:]
os.makedirs(folder, exist_ok=True)

# Which topics the page asks for, and every way to the screen that waits for somebody to press it.
SPY = """window.asked = []; window.boxes = 0
const send = WebSocket.prototype.send
WebSocket.prototype.send = function (text) {
    const {method, params} = JSON.parse(text)
    if (method === "subscribe") asked.push(params.topics)
    send.call(this, text)
}
for (const name of ["alert", "confirm", "prompt"]) window[name] = () => { boxes += 1 }"""

settings = tempfile.NamedTemporaryFile("w", suffix=".yaml")


def write(text):
    settings.seek(0)
    settings.truncate()
    settings.write(text)
    settings.flush()


write("experience: colorscroller\nceiling: -1\n")
stage = Stage(thrumd, "console", ["--config", settings.name, "--seed", "7"], size=(1280, 800), before=SPY)
try:
    script = stage.script
    address = stage.browser.current_url
    text = lambda place: script("const e = document.querySelector(arguments[0]); return e && e.checkVisibility() ? e.innerText : ''", place)
    shows = lambda place: script("const e = document.querySelector(arguments[0]); return e !== null && e.checkVisibility()", place)
    topics = lambda: script("return asked.at(-1) ?? []")
    violations = []

    def press(place):
        wait_for(lambda: shows(place) and script("return !document.querySelector(arguments[0]).disabled", place), 5, place)
        script("document.querySelector(arguments[0]).click()", place)

    def put(place, value):
        """As a person changes a field: its text, and the end of it."""
        wait_for(lambda: shows(place), 3, place)
        script("""const e = document.querySelector(arguments[0])
            e.value = arguments[1]
            for (const type of ["input", "change"]) e.dispatchEvent(new Event(type, {bubbles: true}))""", place, value)

    def go(view):
        press(f"#rail [data-view={view}]")
        wait_for(lambda: shows(f".view.{view} > *"), 5, view)

    def scheme(name):
        stage.devtools("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])

    def check(name):
        """A picture in each scheme, and what axe-core finds in it."""
        for colours in ["dark", "light"]:
            scheme(colours)
            time.sleep(0.3)
            stage.picture(f"{folder}/{name}-{colours}.png")
            violations.extend(f"{name}, {colours}: {found}" for found in stage.axe())
        scheme("dark")

    def played():
        """A finger that rests on the piece, as a page reports it, and what that plays."""
        return stage.hold([("touch", {"phase": "began", "id": 1, "x": 0.5, "y": 0.7}), ("chime.play", {"name": "unlock"})])

    # Now.
    wait_for(lambda: shows(".view.now .condition"), 8, "the first view")
    claim("nobody is here" in text(".condition") and shows("[data-view=doing]"), "the first view says how the box is")
    others = ["configuration", "flags", "ledger", "support"]
    claim(not any(shows(f"[data-view={view}]") for view in others), "views that the piece has nothing for are left out")
    check("now-ready")
    stage.ask("swipe", direction="up")
    finger = played()
    wait_for(lambda: "Playing" in text(".condition"), 3, "it plays")
    wait_for(lambda: script("return document.querySelectorAll('.glass .finger').length") == 1, 3, "a finger")
    wait_for(lambda: "240.0 Hz" in text(".tone") and "B3" in text(".tone"), 3, "tone and pitch")
    wait_for(lambda: "unlock" in text(".cues") and "chime" in text(".events"), 3, "cues and events")
    wait_for(lambda: "−∞" not in text("[data-meter=peak] .figure") and "dBFS" in text("[data-meter=peak] .figure"), 3, "levels")
    peak = script("return Number(document.querySelector('[data-meter=peak] [role=meter]').ariaValueNow)")
    claim(peak > -60, "levels, tone, fingers, what is felt and what happens are seen")
    claim("Touch to sound" in text(".figures") and "this page" in text(".clients"), "latency, underruns and who is connected are told")
    check("now-playing")
    for number in range(60):
        stage.ask("chime.play", name=["unlock", "ding"][number % 2])
    wait_for(lambda: script("return document.querySelectorAll('.events li').length") == 50, 3, "lines")
    claim(script("return document.querySelectorAll('.cues li').length") == 50, "no list is longer than 50 lines")
    finger.close()
    wait_for(lambda: not shows(".glass .finger"), 3, "the finger goes")

    # Do.
    claim("meters" in topics(), "levels are told while they are drawn")
    go("doing")
    wait_for(lambda: shows("[data-row=mute]"), 3, "acts")
    wait_for(lambda: "meters" not in topics(), 3, "no levels")
    claim(True, "and not in another view")
    check("do")
    press("#mute")
    wait_for(lambda: stage.ask("status")["house"]["isMuted"], 3, "muted")
    go("now")
    wait_for(lambda: "Muted" in text(".condition") and "since" in text(".notes"), 3, "muted, by whom, since when")
    claim(shows(".way button"), "what is muted by hand says by whom, and shows the way to change it")
    check("now-muted")
    press(".way button")
    press("#mute")
    wait_for(lambda: not stage.ask("status")["house"]["isMuted"], 3, "heard again")
    put("[data-row=preset] select", "quiet-day")
    wait_for(lambda: stage.ask("status")["house"]["preset"] == "quiet-day", 3, "a preset")
    put("[data-row=preset] select", "")
    wait_for(lambda: not stage.ask("status")["house"]["isByHand"], 3, "the schedule")
    put("[data-row=theme] select", "glass")
    wait_for(lambda: stage.ask("status")["house"]["theme"] == "glass", 3, "a theme")
    put("[data-row=ceiling] input", "-9")
    wait_for(lambda: stage.ask("status")["house"]["ceiling"]["level"] == -9, 3, "a ceiling")
    put("[data-row=volume] input", "-12")
    wait_for(lambda: stage.ask("status")["house"].get("volumeByHand", {}).get("level") == -12, 3, "a volume")
    wait_for(lambda: "−12 dB" in text("[data-row=volume] .figure"), 3, "its figure")
    go("now")
    wait_for(lambda: "Turned down by 12 dB" in text(".notes"), 3, "turned down, by whom, since when")
    check("now-turned-down")
    go("doing")
    put("[data-row=volume] input", "0")
    wait_for(lambda: "volumeByHand" not in stage.ask("status")["house"], 3, "as loud as before")
    claim(stage.ask("status")["house"]["volume"] == 0, "mute, volume, preset, theme and ceiling count")
    put("[data-knob=course] input[type=number]", "7000")
    wait_for(lambda: "0 to 1000" in text("[data-knob=course] .outcome"), 3, "a refusal")
    claim(text("[data-knob=course] .outcome").startswith("value: expected"), "a refusal says why, beside its knob")
    check("do-refused")
    put("[data-knob=course] input[type=number]", "120")
    knob = lambda: stage.ask("param.get", name="course")["value"]
    wait_for(lambda: knob() == 120, 3, "a knob")
    press("[data-knob=course] button")
    wait_for(lambda: knob() == 500, 3, "its standard")
    claim(True, "a knob is turned, and goes back to its standard")
    told = stage.watch("cue")
    press("[data-try=award]")
    press(".keys [data-try=surprise]")
    press("[data-try=purr-weak]")
    heard = lambda: {cue.get("name") for _, cue in told.told}
    wait_for(lambda: {"award", "surprise", "purr-weak"} <= heard(), 3, "tries")
    claim(script("return document.querySelector('[data-try=purr-weak]').ariaPressed") == "true", "chimes, patterns and textures are tried")
    press("[data-do=stop]")
    wait_for(lambda: script("return document.querySelector('[data-try=purr-weak]').ariaPressed") == "false", 3, "all off")
    causes = ["browserEnded", "browserHung", "compositorEnded", "compositorHung", "memory", "neverDrew", "pageStopped", "tabCrashed"]
    screen = {"name": "left", "isDrawing": False, "memory": 1, "issue": "its page has stopped"}
    restarts = {**dict.fromkeys(causes, 0), "pageStopped": 2}
    stage.ask("kiosk.report", report={"areScreensOn": True, "restarts": restarts, "screens": [screen]}, words={"left": "a word"})
    wait_for(lambda: "its page has stopped" in text(".kiosk"), 5, "the kiosk")
    claim("2 restarts" in text(".kiosk"), "the kiosk's screens are told, and how often it began anew")
    press("[data-do=restart-kiosk] button")
    press("[data-do=restart-kiosk] button")
    kiosk = lambda: stage.ask("kiosk.report", report={"areScreensOn": True, "restarts": restarts, "screens": [screen]})
    wait_for(lambda: "starts anew" in text("[data-row=kiosk] .outcome"), 3, "the kiosk's new start")
    claim(kiosk()["isToRestart"] and not kiosk()["isToRestart"], "the kiosk is told once to start anew")
    stage.ask("kiosk.report")
    press("[data-do=restart] button")
    check("do-restarting")
    press("[data-do=restart] button")
    wait_for(lambda: "nobody would start thrumd again" in text("[data-row=restart] .outcome[data-kind=bad]"), 3, "a refusal")
    claim("session" in stage.ask("status"), "where nobody would start the engine again it goes on, and says why")
    write("experience: colorscroller\nceiling: -12\n")
    press("[data-do=reload]")
    wait_for(lambda: "ceiling" in text(".report"), 5, "a reload")
    claim("-12" in text(".report ins"), "a reload says what has changed")
    write("experience: colorscroller\nceiling: loud\n")
    press("[data-do=reload]")
    wait_for(lambda: "ceiling" in text("[data-row=reload] .outcome[data-kind=bad]"), 5, "bad settings")
    claim(not shows(".report:not(.kiosk) li"), "bad settings are refused, line by line")
    write("experience: colorscroller\nceiling: -12\n")
    wait_for(lambda: script("return !document.querySelector('[data-do=end] button').disabled"), 5, "a session")
    press("[data-do=end] button")
    claim("session" in stage.ask("status"), "what cannot be taken back is asked once more")
    check("do-ending")
    # By the keyboard alone: the focus is on the button that leaves it; the one that ends it is before that.
    script("document.querySelector('[data-do=end] button:last-child').focus()")
    stage.browser.switch_to.active_element.send_keys(Keys.SHIFT + Keys.TAB)
    stage.browser.switch_to.active_element.send_keys(Keys.ENTER)
    wait_for(lambda: "session" not in stage.ask("status"), 5, "the session's end")
    wait_for(lambda: "over" in text("[data-row=session] .outcome"), 3, "what came of it")
    claim(True, "and the keyboard ends the session")
    claim(script("return boxes") == 0, "nothing is said in an alert")

    # The bad settings are still an issue.
    go("now")
    wait_for(lambda: "not as it should be" in text(".condition"), 2, "what is wrong")
    claim("ceiling: expected a number" in text(".notes .issue"), "what is wrong is said first, in the engine's words")
    check("now-wrong")

    # From the alarm to its cause, and to the sound before it: two taps.
    press(".issue [data-do=recall]")
    wait_for(lambda: shows(".recall .log li") and shows(".recall .lines li") and shows(".recall audio"), 8, "the 30 s before")
    claim("the settings are bad" in text(".recall .log"), "an issue opens on what was logged")
    claim("purr-weak" in text(".recall .events") and "stop" in text(".recall .events"), "on what happened")
    stage.devtools("Runtime.evaluate", expression="document.querySelector('.recall audio').play()", userGesture=True)
    wait_for(lambda: script("const {played, currentTime} = document.querySelector('.recall audio'); return played.length > 0 && currentTime > played.start(0)"), 8, "it plays")
    claim(True, "and on what was heard")
    script("document.querySelector('.recall audio').pause()")
    check("now-recall")
    press(".recall [data-do=close]")
    wait_for(lambda: not shows(".recall"), 3, "it is closed")
    stage.ask("setting.reload")
    wait_for(lambda: "nobody is here" in text(".condition"), 2, "all is well")
    claim(not shows(".issue"), "and is gone when it is right again")
    wait_for(lambda: "ceiling: expected a number" in text(".card.faults") and "goes on" not in text(".card.faults"), 3, "what went wrong")
    claim(shows(".card.faults [data-do=recall]"), "what went wrong is still told, with what was before")

    # While the session goes on it can be heard up to the last thing that happened.
    finger = played()
    time.sleep(4)
    stage.ask("chime.play", name="ding")
    write("experience: colorscroller\nceiling: loud\n")
    stage.hold([("setting.reload", {})]).close()
    press(".issue [data-do=recall]")
    wait_for(lambda: shows(".recall audio") and "unlock" in text(".recall .events"), 8, "a session that goes on")
    claim("goes on" in text(".recall .sound") and "until=" in script("return document.querySelector('.recall audio').src"), "a session that goes on is told and heard as far as it has come")
    stage.devtools("Runtime.evaluate", expression="document.querySelector('.recall audio').play()", userGesture=True)
    wait_for(lambda: script("return document.querySelector('.recall audio').currentTime") > 0.5, 8, "it plays")
    claim(script("return document.querySelector('.recall audio').duration") >= 3, "to its last whole second")
    finger.close()
    stage.ask("session.end")
    press(".recall [data-do=close]")
    write("experience: colorscroller\nceiling: -12\n")
    stage.ask("setting.reload")
    wait_for(lambda: not shows(".issue"), 3, "all is well")

    # The log.
    go("log")
    wait_for(lambda: "the settings are bad" in text(".log [data-level=error]"), 5, "the log")
    check("log")
    lines = lambda: script("return document.querySelectorAll('.log [data-level]').length")
    before = lines()
    press(".log [data-level=error] [data-do=recall]")
    wait_for(lambda: "the settings are bad" in text(".recall .log"), 8, "the 30 s before a line")
    press(".recall [data-do=close]")
    claim(True, "a severe line of the log opens on the 30 s before it")
    put("[data-by=log-with]", "nobody has logged this")
    wait_for(lambda: lines() == 0 and "0 lines of" in text(".view.log p.quiet[role=status]"), 3, "no line")
    put("[data-by=log-with]", "BAD ceiling")
    wait_for(lambda: 0 < lines() <= before, 3, "those with both words")
    write("experience: colorscroller\nceiling: -12\ntheme: nonesuch\n")
    stage.hold([("setting.reload", {})]).close()
    put("[data-by=log-with]", "")
    wait_for(lambda: "nonesuch" in text(".log li:nth-child(2)"), 4, "what is new stands first")
    put("[data-by=log-order]", "oldest")
    wait_for(lambda: "nonesuch" in text(".log li:last-child"), 4, "or last")
    claim(True, "the log is there by severity and by words, and goes on by itself")
    write("experience: colorscroller\nceiling: -12\n")
    stage.ask("setting.reload")

    downloads = tempfile.mkdtemp()
    stage.devtools("Browser.setDownloadBehavior", behavior="allow", downloadPath=downloads)
    press("[data-do=support]")
    wait_for(lambda: "downloads" in text(".view.log .outcome"), 60, "the support file")
    wait_for(lambda: any(name.endswith(".tar.gz") for name in os.listdir(downloads)), 10, "a file")
    names = tarfile.open(os.path.join(downloads, next(name for name in os.listdir(downloads) if name.endswith(".tar.gz")))).getnames()
    claim({"status.json", "log.jsonl", "doctor.txt"} <= {os.path.basename(name) for name in names}, "the support file is saved by the browser")
    shutil.rmtree(downloads)

    # The daemon goes and comes back.
    go("now")
    stage.kill()
    wait_for(lambda: shows("#calm"), 5, "the engine is away")
    stage.start()
    wait_for(lambda: not shows("#calm") and "nobody is here" in text(".condition"), 10, "and back")
    wait_for(lambda: "meters" in topics(), 3, "levels")
    claim(True, "the page outlives the daemon's restart")

    # What strangers are called is text.
    stranger = stage.hold([("hello", {"client": "<img src=x onerror='boxes += 1'>"})])
    wait_for(lambda: "<img" in text(".clients"), 5, "a stranger's name")
    claim(script("return document.querySelector('.clients img') === null && boxes === 0"), "what a stranger is called is text")
    stranger.close()

    # A phone.
    stage.devtools("Emulation.setDeviceMetricsOverride", width=390, height=844, deviceScaleFactor=1, mobile=True)
    stage.size = (390, 844)
    fits = lambda: script("return [document.documentElement, document.querySelector('main')].every(e => e.scrollWidth <= innerWidth)")
    for language in ["en", "de"]:
        stage.browser.get("about:blank")
        stage.browser.get(f"{address}?lang={language}")
        wait_for(lambda: "meters" in topics(), 8, "now")
        finger = played()
        wait_for(lambda: shows(".glass .finger"), 8, "a finger")
        check(f"phone-now-{language}")
        claim(fits(), f"phone, now, {language}: all is within the screen")
        finger.close()
        go("doing")
        wait_for(lambda: shows("[data-knob=course]"), 3, "knobs")
        check(f"phone-do-{language}")
        claim(fits(), f"phone, do, {language}: all is within the screen")
        go("log")
        wait_for(lambda: shows(".view.log .sieve"), 3, "the log")
        check(f"phone-log-{language}")
        claim(fits(), f"phone, log, {language}: all is within the screen")

    # Without an operator's token.
    for role, sees in [("watch", "Touch to sound"), ("visitor", "Playing")]:
        token = stage.ask("token.add", name=f"a-{role}", role=role)["token"]
        stage.browser.get("about:blank")
        stage.browser.get(f"{address}#token={token}")
        wait_for(lambda: "meters" in topics(), 8, role)
        finger = played()
        wait_for(lambda: sees in text("main") and shows(".glass .finger" if role == "watch" else ".invitation"), 8, role)
        claim(shows(".invitation") and not shows("[data-view=doing]"), f"{role}: is told what there is to see, and shown nothing to change")
        claim(shows("[data-view=sessions]") == (role == "watch"), f"{role}: hears what was recorded only where it may look on")
        claim(shows(".events") == (role == "watch"), f"{role}: what is not for this role is not there")
        press(".invitation summary")
        check(f"phone-{role}")
        finger.close()
    # By an invitation for the volume. The device keeps a token of its own, and the code is gone from the address.
    code = stage.ask("token.invite", name="a-shop", role="volume")["code"]
    stage.browser.get("about:blank")
    stage.browser.get(f"{address}#code={code}")
    wait_for(lambda: "code=" not in stage.browser.current_url and "meters" in topics(), 8, "let in")
    named = lambda: [(token["name"], token["role"]) for token in stage.ask("token.list")["tokens"]]
    claim(("a-shop", "volume") in named(), "a code lets a device in, which gets a token")
    stage.browser.get("about:blank")
    stage.browser.get(address)
    wait_for(lambda: "meters" in topics() and shows(".invitation"), 8, "in again")
    claim("a-shop" in text("#who"), "and keeps it")
    claim(shows(".invitation") and shows(".events"), "volume: is told how the box is, and how to get more")
    go("doing")
    rows = script("return [...document.querySelectorAll('[data-row]')].map(row => row.dataset.row)")
    claim(rows == ["mute", "volume", "stop"], f"volume: has the mute, the volume and the stop, and nothing else {rows}")
    put("[data-row=volume] input", "-6")
    wait_for(lambda: stage.ask("status")["house"].get("volumeByHand", {}).get("level") == -6, 3, "a volume")
    claim("a-shop" in stage.ask("status")["house"]["volumeByHand"]["by"], "volume: who turned it down is told")
    press("#mute")
    wait_for(lambda: stage.ask("status")["house"]["isMuted"], 3, "muted")
    check("phone-do-volume")
    go("now")
    wait_for(lambda: shows(".way button"), 3, "the way back")
    press(".way button")
    press("#mute")
    wait_for(lambda: not stage.ask("status")["house"]["isMuted"], 3, "heard again")
    put("[data-row=volume] input", "0")
    wait_for(lambda: "volumeByHand" not in stage.ask("status")["house"], 3, "as loud as before")
    stage.browser.get("about:blank")
    stage.browser.get(f"{address}#code={code}")
    wait_for(lambda: "code=" not in stage.browser.current_url and "a-shop" in text("#who"), 12, "in by the token")
    claim(True, "who opens the code again comes in by the token that the device keeps")
    stage.browser.get("about:blank")
    stage.ask("token.revoke", name="a-shop")
    stage.browser.get(address)
    wait_for(lambda: shows("[data-do=forget]"), 8, "revoked")
    check("phone-revoked")
    press("[data-do=forget]")
    wait_for(lambda: not shows(".gate") and shows(".view.now > *"), 8, "forgotten")
    claim(True, "a device whose token was revoked forgets it, and is who it was")
    stage.browser.get("about:blank")
    stage.browser.get(f"{address}#code={code}")
    wait_for(lambda: shows(".gate"), 8, "no answer")
    claim("used up" in text(".gate"), "a code that was used lets nobody else in, and that is said")
    check("phone-code")
    stage.browser.get("about:blank")
    stage.browser.get(f"{address}#token={'0' * 64}")
    wait_for(lambda: shows(".gate"), 8, "no answer")
    claim("does not know this token" in text(".gate"), "a wrong token is told so")
    check("phone-gate")

    claim(violations == [], f"axe-core finds nothing {violations}")
    # A page whose code or token is refused asks again, and the browser tells of each answer: 401, and 429 after ten of them.
    refused = [error for error in stage.errors() if "/socket" in error and ("401" in error or "429" in error)]
    errors = [error for error in stage.errors() if error not in refused]
    claim(errors == [], f"the page complains of nothing but the refused code and tokens {errors}")
finally:
    stage.close()
end()

extension StatusReport {
    /// All of `Metric.all`, for Prometheus to read.
    public var metrics: String { Metric.all.map { $0.lines(self) }.joined() }
}

extension Metric {
    /// Every number and flag of a status report, in seconds, hertz and ratios. A new one is a line here and in docs/metrics.md.
    static let all: [Metric] = daemon + kiosk + output + session + devices + house

    private static let daemon: [Metric] = [
        .gauge("thrum_up", "Always 1: the daemon answers.") { _ in 1 },
        .info("thrum_build_info", "The daemon's version.") { ["version": $0.version] },
        .gauge("thrum_uptime_seconds", "Since the daemon's start.", \.uptimeSeconds),
        .gauge("thrum_clients", "Clients that are connected.") { Double($0.clients) },
        Metric("thrum_page_frames_total", .counter, "Frames that a page has drawn.") { report in
            report.pages.map { Sample(labels: ["client": "\($0.client)", "name": $0.name ?? ""], value: Double($0.frames)) }
        },
        Metric("thrum_page_frame_age_seconds", .gauge, "Since a page last told of a new frame.") { report in
            report.pages.map { Sample(labels: ["client": "\($0.client)", "name": $0.name ?? ""], value: $0.secondsSinceFrame) }
        },
        Metric("thrum_released_total", .counter, "Clients and touchscreens that the engine released by itself.") { report in
            [("held", report.released.held), ("silent", report.released.silent), ("unread", report.released.unread)].map {
                Sample(labels: ["reason": $0.0], value: Double($0.1))
            }
        },
        .counter("thrum_refused_notifications_total", "Requests without an id that were refused: they got no answer.") {
            Double($0.refused.notifications)
        },
        .counter("thrum_refused_clients_total", "Clients that were turned away for want of a place.") { Double($0.refused.clients) },
        .counter("thrum_refused_rates_total", "What visitors and players did faster than people can.") { Double($0.refused.rates) },
        Metric("thrum_refused_requests_total", .counter, "Requests over HTTP that were refused because of who asks.") { report in
            [("host", report.refused.hosts), ("origin", report.refused.origins), ("token", report.refused.tokens)].map {
                Sample(labels: ["reason": $0.0], value: Double($0.1))
            }
        },
        .gauge("thrum_issues", "Things that are not as they should be; /health says which.") { Double($0.issues.count) },
    ]

    private static let kiosk: [Metric] = [
        Metric("thrum_kiosk_restarts_total", .counter, "Times that a kiosk has started something anew, by cause.") { report in
            (report.kiosk?.report.restarts ?? [:]).sorted { $0.key < $1.key }.map { cause, count in
                Sample(labels: ["cause": cause], value: Double(count))
            }
        },
        Metric("thrum_kiosk_drawing", .gauge, "Whether the page on a kiosk's screen draws.") { report in
            (report.kiosk?.report.screens ?? []).map { Sample(labels: ["screen": $0.name], value: $0.isDrawing ? 1 : 0) }
        },
        Metric("thrum_kiosk_memory_bytes", .gauge, "What a screen's browser takes up.") { report in
            (report.kiosk?.report.screens ?? []).map { Sample(labels: ["screen": $0.name], value: Double($0.memory)) }
        },
        .gauge("thrum_kiosk_screens_on", "Whether a kiosk's screens are lit, 1 for yes.") {
            $0.kiosk.map { $0.report.areScreensOn ? 1 : 0 }
        },
        .gauge("thrum_kiosk_report_age_seconds", "Since a kiosk last reported.") { $0.kiosk?.secondsSinceReport },
    ]

    private static let output: [Metric] = [
        .info("thrum_output_info", "Where the sound goes; server and sink are empty while it waits for a server.") {
            ["kind": $0.output.kind.rawValue, "server": $0.output.server ?? "", "sink": $0.output.sink ?? ""]
        },
        .flag("thrum_output_connected", "Whether a sound server plays.") { $0.output.state == .connected },
        .flag("thrum_output_revising", "Whether queued sound is overwritten when an event comes.", \.output.isRevising),
        .flag("thrum_output_realtime", "Whether the render thread has real-time priority.", \.output.isRealtime),
        .flag("thrum_output_muted_by_others", "Whether another program has muted the sink or the stream.", \.output.isMutedByOthers),
        .gauge("thrum_output_volume_by_others_decibels", "How far other programs have turned sink and stream down or up.",
               \.output.volumeByOthers),
        .flag("thrum_output_suspended", "Whether the output is suspended: it takes nothing.", \.output.isSuspended),
        .gauge("thrum_output_sample_rate_hertz", "Sample rate of the engine.") { Double($0.output.sampleRate) },
        .counter("thrum_output_connections_total", "Times that a sound server was connected to.") { Double($0.output.connections) },
        .gauge("thrum_touch_to_sound_seconds", "From an event to its first sample leaving the sink.") {
            $0.output.latency.touchToSoundMilliseconds / 1e3
        },
        .gauge("thrum_touch_to_rewrite_seconds", "From an event to its sound being written, median of the last 32.") {
            $0.output.latency.touchToRewriteMilliseconds / 1e3
        },
        .gauge("thrum_margin_seconds", "From the sample being heard to the first that can be changed.") {
            $0.output.latency.marginMilliseconds / 1e3
        },
        .gauge("thrum_queue_seconds", "Sound that is rendered ahead.") { $0.output.latency.queuedMilliseconds / 1e3 },
        .gauge("thrum_sink_block_seconds", "The most that the sink has lately taken at once.") {
            $0.output.latency.sinkBlockMilliseconds / 1e3
        },
        .gauge("thrum_clock_error_seconds", "What the clock's predictions are off by, root mean square.") {
            $0.output.latency.clockErrorMicroseconds / 1e6
        },
        .gauge("thrum_clock_drift_ratio", "Of the sound server's clock against the system's, 0 for none.") {
            $0.output.latency.driftPartsPerMillion / 1e6
        },
        .counter("thrum_rewrites_total", "Changes of queued sound.") { Double($0.output.rewrites) },
        .counter("thrum_late_rewrites_total", "Changes that came after their frame had been taken.") { Double($0.output.lateRewrites) },
        .counter("thrum_late_events_total", "Events that took effect after the frame they were due at.") { Double($0.output.lateEvents) },
        .counter("thrum_underruns_total", "Times that the sound server ran dry.") { Double($0.output.underruns) },
        .gauge("thrum_wake_ups_per_second", "Of the render thread.", \.output.wakeUpsPerSecond),
    ]

    private static let session: [Metric] = [
        .counter("thrum_sessions_total", "Visitors' sessions.") { Double($0.sessions) },
        .flag("thrum_session_active", "Whether there is a session now.") { $0.session != nil },
        .gauge("thrum_session_seconds", "How long it has lasted; 0 between visitors.") { $0.session?.seconds ?? 0 },
        .gauge("thrum_session_events", "Its events; 0 between visitors.") { Double($0.session?.events ?? 0) },
        .flag("thrum_session_held", "Whether a finger is down or a tone is held.") { $0.session?.isHeld ?? false },
        .counter("thrum_journal_lost_entries_total", "Journal entries that are in no file.") { Double($0.lostEntries) },
        .counter("thrum_journals_disturbed_total", "Journals that others changed while they were written.") {
            Double($0.disturbedJournals)
        },
        .counter("thrum_stolen_notes_total", "Of the session: notes faded out early for a new one.") { Double($0.synth.stolenNotes) },
        .counter("thrum_refused_notes_total", "Of the session: notes not begun for want of room.") { Double($0.synth.refusedNotes) },
        .counter("thrum_limited_frames_total", "Of the session: frames that the limiter turned down.") { Double($0.synth.limitedFrames) },
        .counter("thrum_refused_patterns_total", "Of the session: haptic patterns that the synth left out.") {
            Double($0.synth.refusedPatterns)
        },
        .counter("thrum_refused_textures_total", "Of the session: textures that the synth left out.") {
            Double($0.synth.refusedTextures)
        },
        .counter("thrum_overload_total", "Events refused or left out because they came too fast.") { Double($0.synth.overload) },
        .counter("thrum_reopened_listeners_total", "Listening sockets that were lost and opened again.") {
            Double($0.reopenedListeners)
        },
    ]

    private static let devices: [Metric] = [
        .gauge("thrum_touchscreens", "Touchscreens that are read.") { Double($0.devices.touchscreens.count) },
        Metric("thrum_touchscreen_drops_total", .counter, "Times that the kernel had to drop a touchscreen's events.") { report in
            report.devices.touchscreens.map { Sample(labels: ["name": $0.name, "node": $0.node], value: Double($0.drops)) }
        },
        .gauge("thrum_motors", "Force-feedback devices that are driven.") { Double($0.devices.motors.count) },
        .gauge("thrum_transducers", "Channels of the sink that carry haptic patterns.") { Double($0.devices.transducers.count) },
        .gauge("thrum_devices_refused", "Input devices that may not be opened.") { Double($0.devices.refused) },
        .gauge("thrum_device_rules_missing", "Rules of the settings for which there is no device.") { Double($0.devices.missing.count) },
        .counter("thrum_patterns_total", "Haptic patterns asked for.") { Double($0.devices.patterns) },
        Metric("thrum_motor_info", .gauge, "How a force-feedback device is driven.") { report in
            report.devices.motors.map { Sample(labels: ["name": $0.name, "node": $0.node, "drive": $0.drive.rawValue], value: 1) }
        },
        .motor("thrum_motor_slots", .gauge, "Effects that its memory has room for.") { Double($0.slots) },
        .motor("thrum_motor_effects", .gauge, "Effects that it holds.") { Double($0.held) },
        .motor("thrum_motor_plays_total", .counter, "Effects played.") { Double($0.plays) },
        .motor("thrum_motor_missed_total", .counter, "Effects not played, because it was busy or refused them.") { Double($0.missed) },
        .motor("thrum_motor_uploads_total", .counter, "Effects written to it.") { Double($0.uploads) },
        .motor("thrum_motor_touch_to_effect_seconds", .gauge, "From a touch to its effect being started, median of the last 128.") {
            $0.touchToEffectMilliseconds.map { $0 / 1e3 }
        },
        .motor("thrum_motor_issue", .gauge, "1 when something is wrong with it.") { $0.issue == nil ? 0 : 1 },
    ]

    private static let house: [Metric] = [
        .info("thrum_house_info", "What is on: theme, preset, and the schedule's entry, empty outside of all.") {
            ["theme": $0.house.theme, "preset": $0.house.preset, "entry": $0.house.entry ?? ""]
        },
        .flag("thrum_preset_by_hand", "Whether somebody chose the preset, and not the schedule.", \.house.isByHand),
        .flag("thrum_house_open", "Whether visitors find it open, by the schedule or by hand.", \.house.isOpen),
        .gauge("thrum_house_opens_timestamp_seconds", "When the schedule opens the house that is closed, since 1970-01-01 in UTC.") {
            $0.house.opensAt.map(Double.init)
        },
        .gauge("thrum_schedule_next_change_timestamp_seconds", "When the schedule changes next, since 1970-01-01 in UTC.") {
            $0.house.nextChange.map(Double.init)
        },
        .gauge("thrum_volume_decibels", "How far the sound is turned down in all; -120 is silence.", \.house.volume),
        .flag("thrum_muted", "Whether a front end has taken the sound away.", \.house.isMuted),
        .gauge("thrum_muted_timestamp_seconds", "Since when it has, since 1970-01-01 in UTC.") { $0.house.mute?.since.map(Double.init) },
        .gauge("thrum_ceiling_decibels", "No sample passes it, dBFS.", \.house.ceiling.level),
        .gauge("thrum_ceiling_setting_decibels", "The same by settings, theme and preset, dBFS.", \.house.ceiling.setting),
        .flag("thrum_ceiling_by_hand", "Whether a front end has set a lower one than they have.") { $0.house.ceiling.byHand != nil },
        .gauge("thrum_hearing_level_decibels", "At the listener, A-weighted, over the last second.") { $0.house.hearing?.level },
        .gauge("thrum_hearing_session_dose_ratio", "Of what a visitor may have, 1 for all of it.") {
            $0.house.hearing.map { $0.sessionDose / 100 }
        },
        .gauge("thrum_hearing_day_dose_ratio", "Of what a day may have, 1 for all of it.") { $0.house.hearing.map { $0.dayDose / 100 } },
        .gauge("thrum_hearing_day_equivalent_decibels", "The level, A-weighted, that in 8 hours makes the day's dose.") {
            $0.house.hearing?.equivalent
        },
        .gauge("thrum_hearing_volume_decibels", "How far the level is eased down for it.") { $0.house.hearing?.volume },
    ]
}

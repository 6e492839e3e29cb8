//! The header of a trace as Tcl dictionaries, with TWAPI's names.

use etwkit::format::{LogFileHeader, SystemTime, TimeZone};

use super::list::{list, push_element};

/// Returns the part of `etw_stop_trace`'s report that is stored in a file, in the report's order. Buffer size in KB.
///
/// The rest of that report (the session's GUID, numbers of buffers in memory, flags, the logger's thread) is known to
/// the running session only.
pub fn twapi_session(log: &LogFileHeader) -> String {
    let mut dict = String::new();
    text(&mut dict, "logfile", &log.log_file);
    text(&mut dict, "trace_name", &log.session);
    number(&mut dict, "buffer_size", log.buffer_size / 1024);
    number(&mut dict, "max_file_size", log.maximum_file_size);
    number(&mut dict, "logfile_mode", log.mode.0);
    number(&mut dict, "clock_resolution", log.clock.0);
    number(&mut dict, "events_lost", log.events_lost);
    number(&mut dict, "buffers_written", log.buffers_written);
    number(&mut dict, "log_buffers_lost", log.buffers_lost);
    dict
}

/// TWAPI's `etw_event_trace_logfile` record of a file, without what changes from buffer to buffer: names, and within it
/// the header's `etw_trace_logfile_header`. Buffer sizes in bytes, times as FILETIME.
pub fn twapi_logfile(log: &LogFileHeader) -> String {
    let mut dict = String::new();
    text(&mut dict, "logfile", &log.log_file);
    text(&mut dict, "logger_name", &log.session);
    text(&mut dict, "trace_logfile_header", &logfile_header(log));
    number(&mut dict, "buffer_size", log.buffer_size);
    dict
}

fn logfile_header(log: &LogFileHeader) -> String {
    let mut dict = String::new();
    let [major, minor, sub_major, sub_minor] = log.version;
    number(&mut dict, "buffer_size", log.buffer_size);
    number(&mut dict, "version_major", major);
    number(&mut dict, "version_minor", minor);
    number(&mut dict, "version_submajor", sub_major);
    number(&mut dict, "version_subminor", sub_minor);
    number(&mut dict, "provider_version", log.os_build);
    number(&mut dict, "processor_count", log.processors);
    number(&mut dict, "end_time", log.end_time.0);
    number(&mut dict, "timer_resolution", log.timer_resolution);
    number(&mut dict, "max_file_size", log.maximum_file_size);
    number(&mut dict, "logfile_mode", log.mode.0);
    number(&mut dict, "buffers_written", log.buffers_written);
    number(&mut dict, "pointer_size", log.pointer_size);
    number(&mut dict, "events_lost", log.events_lost);
    number(&mut dict, "cpu_mhz", log.cpu_mhz);
    text(&mut dict, "time_zone", &time_zone(&log.time_zone));
    number(&mut dict, "boot_time", log.boot_time.0);
    number(&mut dict, "perf_frequency", log.frequency);
    number(&mut dict, "start_time", log.start_time.0);
    number(&mut dict, "reserved_flags", log.clock.0);
    number(&mut dict, "buffers_lost", log.buffers_lost);
    dict
}

/// Bias in minutes, then name, date and further bias of standard and of daylight time.
fn time_zone(zone: &TimeZone) -> String {
    let TimeZone { bias, standard_name, standard_date, standard_bias, daylight_name, daylight_date, daylight_bias } =
        zone;
    list([
        &*bias.to_string(),
        standard_name,
        &date(standard_date),
        &standard_bias.to_string(),
        daylight_name,
        &date(daylight_date),
        &daylight_bias.to_string(),
    ])
}

/// Year, month, day, hour, minute, second, millisecond, day of the week: the order of a Windows `SYSTEMTIME` of TWAPI.
fn date(date: &SystemTime) -> String {
    let SystemTime { year, month, weekday, day, hour, minute, second, millisecond } = date;
    let parts = [year, month, day, hour, minute, second, millisecond, weekday].map(ToString::to_string);
    list(parts)
}

fn number(dict: &mut String, name: &str, value: impl Into<i64>) {
    text(dict, name, &value.into().to_string());
}

fn text(dict: &mut String, name: &str, value: &str) {
    push_element(dict, name);
    push_element(dict, value);
}

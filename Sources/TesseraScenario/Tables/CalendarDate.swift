import Glibc

/// Days since 1 January 1970, with the part of the day; nil for another text.
///
/// Reads ISO 8601, also without the time or the `T`, and `4.5.2026 09:30`; ignores UTC offsets.
public func calendarDays(of text: some StringProtocol) -> Double? {
  let bytes = Array(text.utf8)[...]
  let end =
    bytes.firstIndex { $0 == UInt8(ascii: "T") || $0 == UInt8(ascii: " ") } ?? bytes.endIndex
  let hasDots = bytes[..<end].contains(UInt8(ascii: "."))
  let parts = bytes[..<end].split(
    separator: UInt8(ascii: hasDots ? "." : "-"), omittingEmptySubsequences: false)
  let widths = hasDots ? 1...2 : 2...2
  guard parts.count == 3, widths ~= parts[1].count else { return nil }
  let (first, last) = hasDots ? (parts[2], parts[0]) : (parts[0], parts[2])
  guard first.count == 4, widths ~= last.count, let year = number(first),
    let month = number(parts[1]), let day = number(last), 1...12 ~= month,
    1...monthLength(month, year) ~= day
  else { return nil }
  let days = Double(dayNumber(year, month, day))
  guard end < bytes.endIndex else { return days }
  return clockHours(of: String(decoding: bytes[(end + 1)...], as: UTF8.self)).map { days + $0 / 24 }
}

/// Outlook (English, German), Google Calendar and iCalendar, with date and time in one column.
private let calendarNames = [
  ["subject", "betreff", "summary"], ["start date", "beginnt am", "dtstart"],
  ["start time", "beginnt um"], ["end date", "endet am", "dtend"], ["end time", "endet um"],
]

/// Columns `start`, `end` and maybe `label` of a calendar's export, and the ones they replace.
func calendarColumns(
  _ names: [String], texts: (Int) -> [String]
) -> (added: [(name: String, texts: [String])], used: [Int])? {
  let places = calendarNames.map { known in
    names.firstIndex { known.contains($0.lowercased()) }
  }
  guard !names.contains("start"), !names.contains("end"), (places[2] == nil) == (places[4] == nil),
    let dates = places[1].map(texts)
  else { return nil }
  var starts = dates.map { (date: $0, time: "") }
  var ends = (places[3].map(texts) ?? dates).map { (date: $0, time: "") }
  if let times = places[2].map(texts), let endTimes = places[4].map(texts) {
    starts = zip(dates, times).map { ($0, $1) }
    ends = zip(ends, endTimes).map { ($0.date, $1) }
  } else {
    starts = starts.map { calendarParts($0.date) }
    // The end date of whole-day events is exclusive.
    ends = zip(starts, ends).map { start, end in
      let end = calendarParts(end.date)
      return end.date.isEmpty || end == (start.date, "")
        ? start : (end.date, end.time.isEmpty ? "00:00" : end.time)
    }
  }
  guard
    let moments = calendarMoments(
      (starts + ends).map(\.date), (starts + ends).map(\.time), whole: ("00:00", "24:00"))
  else { return nil }
  var added = [
    (name: "start", texts: Array(moments.prefix(dates.count))),
    ("end", Array(moments.suffix(dates.count))),
  ]
  if let place = places[0], !names.contains("label") { added.append(("label", texts(place))) }
  return (added, places.compactMap(\.self))
}

/// Moments as `2026-05-04 09:30`, starts before ends; nil if one is malformed.
///
/// The day is first if dates have dots or are valid only so; years may have two digits.
func calendarMoments(
  _ dates: [String], _ times: [String], whole: (start: String, end: String)
) -> [String]? {
  let parts = dates.map { text in
    text.split { !$0.isNumber }.compactMap { Untrusted($0).exactly(in: 0..<10_000) }
  }
  guard parts.allSatisfy({ $0.count == 3 }) else { return nil }
  let isDayFirst = zip(dates, parts).contains { $0.contains(".") || $1[0] > 12 && $1[0] <= 31 }
  var moments: [String] = []
  for (place, (part, time)) in zip(parts, times).enumerated() {
    let isISO = part[0] > 31
    let year = isISO ? part[0] : part[2] < 100 ? 2000 + part[2] : part[2]
    let (month, day) =
      isISO ? (part[1], part[2]) : isDayFirst ? (part[1], part[0]) : (part[0], part[1])
    guard 1...12 ~= month, 1...monthLength(month, year) ~= day else { return nil }
    let date = isoDate(days: Double(dayNumber(year, month, day)))
    let words = time.split { $0 == " " || $0 == "\u{202F}" || $0 == "\u{A0}" }
    guard let clock = words.first else {
      moments.append("\(date) \(place < dates.count / 2 ? whole.start : whole.end)")
      continue
    }
    guard var hours = clockHours(of: clock) else { return nil }
    switch words.dropFirst().first?.lowercased() {
    case "pm" where hours < 12: hours += 12
    case "am" where hours >= 12: hours -= 12
    default: break
    }
    guard let minutes = Int(exactly: (hours * 60).rounded()) else { return nil }
    let digits = [minutes / 60, minutes % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
    moments.append("\(date) \(digits[0]):\(digits[1])")
  }
  return moments
}

func calendarParts(_ text: String) -> (date: String, time: String) {
  let words = text.split(maxSplits: 1) { $0 == "T" || $0 == " " }
  guard let date = words.first else { return ("", "") }
  let time = words.dropFirst().first ?? ""
  func isCompact(_ digits: Substring, _ counts: Int...) -> Bool {
    counts.contains(digits.count) && digits.allSatisfy(\.isNumber)
  }
  let digits = time.prefix { $0.isNumber }
  return (
    isCompact(date, 8)
      ? "\(date.prefix(4))-\(date.dropFirst(4).prefix(2))-\(date.suffix(2))" : String(date),
    isCompact(digits, 4, 6) ? "\(digits.prefix(2)):\(digits.dropFirst(2).prefix(2))" : String(time)
  )
}

/// Hours since midnight of `09:30`, `9:30:15`, `09:30Z` or `09:30+02:00`; nil for another text.
public func clockHours(of text: some StringProtocol) -> Double? {
  var bytes = Array(text.utf8)[...]
  if bytes.last == UInt8(ascii: "Z") { bytes.removeLast() }
  let sign = bytes.lastIndex { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }
  if let sign { bytes = bytes[..<sign] }
  let parts = bytes.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
  guard 2...3 ~= parts.count, 1...2 ~= parts[0].count, let hour = number(parts[0]), hour <= 48,
    parts[1].count == 2, let minute = number(parts[1]), minute < 60
  else { return nil }
  var seconds = 0
  if parts.count == 3 {
    let whole = parts[2].prefix { $0 != UInt8(ascii: ".") }
    guard whole.count == 2, let number = number(whole), number <= 60 else { return nil }
    seconds = number
  }
  return Double(hour) + Double(minute) / 60 + Double(seconds) / 3600
}

/// `2026-05-04`; days since 1970.
package func isoDate(days: Double) -> String {
  let date = calendarDate(days)
  func padded(_ number: Int, _ digits: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
  return "\(padded(date.year, 4))-\(padded(date.month, 2))-\(padded(date.day, 2))"
}

/// `Mon 4 May`; days since 1970.
package func readableDate(days: Double) -> String {
  let date = calendarDate(days)
  let names = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
  return "\(names[date.weekday]) \(date.day) \(months[date.month - 1])"
}

/// An hour of the day as `9:00`.
public func readableHour(_ hours: Double) -> String {
  let minutes = Int(exactly: (hours * 60).rounded()) ?? 0
  let minute = minutes % 60
  return "\(minutes / 60):\(minute < 10 ? "0" : "")\(minute)"
}

private func number(_ digits: ArraySlice<UInt8>) -> Int? {
  guard !digits.isEmpty, digits.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
  return digits.reduce(0) { $0 * 10 + Int($1) - 0x30 }
}

private func monthLength(_ month: Int, _ year: Int) -> Int {
  let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
}

/// In the Gregorian calendar.
private func dayNumber(_ year: Int, _ month: Int, _ day: Int) -> Int {
  var date = tm()
  (date.tm_year, date.tm_mon, date.tm_mday) = (Int32(year - 1900), Int32(month - 1), Int32(day))
  return timegm(&date) / 86_400
}

private func calendarDate(
  _ days: Double
) -> (year: Int, month: Int, day: Int, weekday: Int) {
  var (time, date) = (time_t(max(-1e9, min(1e9, days)).rounded(.down)) * 86_400, tm())
  gmtime_r(&time, &date)
  return (Int(date.tm_year) + 1900, Int(date.tm_mon) + 1, Int(date.tm_mday), Int(date.tm_wday))
}

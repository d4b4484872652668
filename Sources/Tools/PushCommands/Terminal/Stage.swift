import PushCore
import PushReceiver
import PushSimulation

/// Prints the demo: in colors and boxes on a terminal, in plain lines elsewhere.
struct Stage {
  private let console: Console
  private static let width = 42

  init(console: Console) { self.console = console }

  func title(_ text: String) throws(ToolError) { try print(styled(text, .bold)) }

  func scene(_ number: String, title text: String) throws(ToolError) {
    try print("\n" + styled("\(number)  \(text)", .bold))
  }

  func say(_ text: String) throws(ToolError) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: true)
    for line in lines { try print("   " + styled(String(line), .dim)) }
  }

  /// Shows what travels and what is displayed, side by side.
  func show(
    _ visible: ShownContent, simulation: Simulation, carrying payload: JSONObject
  ) throws(ToolError) {
    let envelope = payload["ENCRYPTED_DATA"]?.string ?? ""
    let apple = [visible.title, visible.body, "ENCRYPTED_DATA: \(envelope.prefix(20))…"]
    let shown = simulation.shown
    let person = [shown.title, shown.subtitle, shown.body].filter { !$0.isEmpty }
    let verdict = describe(simulation.outcome)
    guard console.isColored else {
      try print("   Apple sees:  " + apple.joined(separator: " | "))
      try print("   person sees: " + person.joined(separator: " | "))
      return try print("   outcome:     " + verdict.text)
    }
    let left = box(title: "what Apple sees", lines: apple, style: .plain)
    let right = box(title: "what the person sees", lines: person, style: verdict.style)
    for index in 0..<max(left.count, right.count) {
      let blank = String(repeating: " ", count: Self.width + 4)
      let row = (index < left.count ? left[index] : blank) + "  " + (index < right.count ? right[index] : "")
      try print("   " + row)
    }
    try print("   " + styled(verdict.text, verdict.style))
  }

  private func describe(_ outcome: Outcome?) -> (text: String, style: Style) {
    switch outcome {
    case .opened?: ("opened: decrypted, with a valid signature", .green)
    case .openedOther(let format)?:
      ("opened: \(format), another system's format, without a signature", .yellow)
    case .degraded(let reason)?: ("degraded: \(reason.rawValue): \(reason.explanation)", .yellow)
    case nil: ("the extension was not run", .yellow)
    }
  }

  private func box(title: String, lines: [String], style: Style) -> [String] {
    let rule = String(repeating: "─", count: Self.width - title.count - 1)
    let top = styled("┌─ ", style) + title + styled(" " + rule + "┐", style)
    let bottom = styled("└" + String(repeating: "─", count: Self.width + 2) + "┘", style)
    let rows = lines.map { line in
      let text = String(Terminal.printable(line).prefix(Self.width))
      return styled("│ ", style) + Help.padded(text, to: Self.width) + styled(" │", style)
    }
    return [top] + rows + [bottom]
  }

  private enum Style: String {
    case plain = ""
    case bold = "1"
    case dim = "2"
    case green = "32"
    case yellow = "33"
  }

  private func styled(_ text: String, _ style: Style) -> String {
    guard console.isColored, style != .plain else { return text }
    return "\u{1b}[\(style.rawValue)m\(text)\u{1b}[0m"
  }

  private func print(_ line: String) throws(ToolError) { try console.print(line + "\n") }
}

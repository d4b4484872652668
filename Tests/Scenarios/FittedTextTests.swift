import Testing

@testable import PushCommands

@Suite("The manual in a narrow terminal")
struct FittedTextTests {
  private let page = """
    sealpush tell: tell somebody something

    Usage: sealpush tell --to NAME [OPTIONS]

    A long sentence that goes on and on, beyond the
    end of a line, and then ends.

      ready    waits for somebody who has the time to read it
      --to NAME    to whom it is told, by the name that everybody knows

    Examples:
      sealpush tell --to ada --what 'Lunch at noon, with the cards?' \\
        --loudly --again-and-again --until-she-hears-it

    """

  @Test("no line is longer, columns stay columns, and commands stay as they are")
  func narrow() {
    let wanted = """
      sealpush tell: tell somebody something

      Usage: sealpush tell --to NAME [OPTIONS]

      A long sentence that goes on and on,
      beyond the end of a line, and then ends.

        ready    waits for somebody who has the
                 time to read it
        --to NAME    to whom it is told, by the
                     name that everybody knows

      Examples:
        sealpush tell --to ada --what 'Lunch at noon, with the cards?' \\
          --loudly --again-and-again --until-she-hears-it

      """
    #expect(FittedText.text(of: page, columns: 41) == wanted)
  }

  @Test("what has its place is not changed by what has not")
  func shortLines() {
    let table = "  NAME   STATE    AGE\n  ada    proven   3 days\n\n"
    let page = table + "A sentence that is longer than a line of this terminal."
    let wanted = table + "A sentence that is longer than a line of\nthis terminal."
    #expect(FittedText.text(of: page, columns: 41) == wanted)
  }

  @Test("a word that is longer than a line has a line of its own, and none before it is empty")
  func longWord() {
    let word = String(repeating: "w", count: 50)
    #expect(FittedText.text(of: "\(word) and more", columns: 41) == "\(word)\nand more")
    #expect(FittedText.text(of: "  a    \(word) b", columns: 41) == "  a    \(word)\n       b")
  }

  @Test("a page that has its place, and one for a terminal of which nothing is known, stays as it is")
  func wide() {
    #expect(FittedText.text(of: page, columns: 80) == page)
    #expect(FittedText.text(of: page, columns: 0) == page)
  }

  @Test("each page has its place in 80 columns, and the same words; only a command or a word may be longer")
  func pages() {
    for command in Program.sealpush.commands {
      let page = Help.page(of: command, for: [])
      let fitted = FittedText.text(of: page, columns: 80)
      #expect(fitted.split { $0.isWhitespace } == page.split { $0.isWhitespace })
      let text = fitted.split(separator: "\nExamples:\n")[0]
      let long = text.split(separator: "\n").filter { $0.count > 80 }
      #expect(long.allSatisfy { $0.contains("  sealpush ") || !$0.contains(" ") }, "\(command.title)")
    }
  }
}

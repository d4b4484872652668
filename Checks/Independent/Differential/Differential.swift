import Foundation

/// Answers one question per line, for `Checks/Independent/differential.py`, which compares the answers with others'.
@main
enum Differential {
  static func main() throws {
    while let line = readLine() {
      let question = try JSONDecoder().decode(Question.self, from: Data(line.utf8))
      let answer = try JSONEncoder().encode(Answer(to: question))
      print(String(decoding: answer, as: UTF8.self))
      // If a question ends the process, the answers before it are kept.
      fflush(nil)
    }
  }
}

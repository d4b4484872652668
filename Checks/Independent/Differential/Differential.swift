import Foundation

/// Answers a question a line, for `Checks/Independent/differential.py`, which compares the answers with others'.
@main
enum Differential {
  static func main() throws {
    while let line = readLine() {
      let question = try JSONDecoder().decode(Question.self, from: Data(line.utf8))
      let answer = try JSONEncoder().encode(Answer(to: question))
      print(String(decoding: answer, as: UTF8.self))
      // What comes before the question that ends the process is kept.
      fflush(nil)
    }
  }
}

// Lists the mutants of files as JSON, one per line.
//
// Usage: planter FOLDER MODULE PATH …, each path in the folder; another MODULE with its paths may follow after `--`.
import Foundation
import SwiftOperators
import SwiftParser
import SwiftSyntax

let encoder = JSONEncoder()
encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
let arguments = CommandLine.arguments.dropFirst()
guard let folder = arguments.first else { exit(64) }

for group in arguments.dropFirst().split(separator: "--") {
  guard let module = group.first else { continue }
  for path in group.dropFirst() {
    let source = try String(contentsOfFile: "\(folder)/\(path)", encoding: .utf8)
    let tree = OperatorTable.standardOperators.foldAll(Parser.parse(source: source)) { _ in }
    for mutant in Finder(tree, file: path, module: module).mutants {
      FileHandle.standardOutput.write(try encoder.encode(mutant) + Data("\n".utf8))
    }
  }
}

/// What a shell can offer for a value.
enum Offer: Equatable {
  case files
  case folders
  /// One of a few words.
  case words([String])
  /// Nothing, because only the user knows the value.
  case nothing
}

extension Parameter {
  /// What a shell can offer for the option's value, or for the operand.
  var offer: Offer {
    let word = value ?? name.description
    if file != nil || word == "FILE" || mayBeStream { return .files }
    if word == "FOLDER" { return .folders }
    let words = choices.isEmpty ? word.split(separator: "|").map(String.init) : choices
    return words.count > 1 ? .words(words) : .nothing
  }
}

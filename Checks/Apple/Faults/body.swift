// A type error in a function's body.
func text() -> String {
  let number = 1
  return number
}

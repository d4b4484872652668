import Testing

/// "Generating a remote notification", table 3: keys to include in the `sound` dictionary.
struct AppleSoundKeysTests {
  @Test(
    "critical: a number, 1 for a critical alert",
    arguments: [
      .sound("1 is critical", #""critical":1,"name":"alarm.caf""#, .allowed),
      .sound("nothing of 0; to iOS it is not critical", #""critical":0,"name":"alarm.caf""#, .allowed),
      .sound("not required", #""name":"alarm.caf""#, .allowed),
      .sound(
        "nothing of 2", #""critical":2,"name":"alarm.caf""#, .unsaid("!aps.sound.critical must-be-0-or-1")),
      .sound(
        "no boolean", #""critical":true,"name":"alarm.caf""#, .wrong("!aps.sound.critical must-be-0-or-1")),
      .sound(
        "no string", #""critical":"1","name":"alarm.caf""#, .wrong("!aps.sound.critical must-be-0-or-1")),
    ] as [ApplePayload])
  func critical(payload: ApplePayload) throws { try payload.check() }

  @Test(
    "name: a string, a file's name or default",
    arguments: [
      .sound("default is the system's sound", #""critical":1,"name":"default""#, .allowed),
      // The format refuses it: FORMAT.md, rule 6.3, and the vector aps-sound-nameless.
      .sound("nothing of a sound without a name", #""critical":1"#, .unsaid("!aps.sound.name missing")),
      .sound("nothing of an empty dictionary", "", .unsaid("!aps.sound.name missing")),
      .sound("no number", #""critical":1,"name":1"#, .wrong("!aps.sound.name must-be-string")),
      .sound("no null", #""critical":1,"name":null"#, .wrong("!aps.sound.name must-be-string")),
      .sound(
        "nothing of a name without an extension", #""critical":1,"name":"alarm""#,
        .unsaid("aps.sound sound-without-extension")),
    ] as [ApplePayload])
  func name(payload: ApplePayload) throws { try payload.check() }

  @Test(
    "volume: a number from 0, silent, to 1, full",
    arguments: [
      .sound("0", #""critical":1,"name":"a.caf","volume":0"#, .allowed),
      .sound("1", #""critical":1,"name":"a.caf","volume":1.0"#, .allowed),
      .sound("for critical alerts; of others nothing", #""name":"a.caf","volume":0.5"#, .allowed),
      .sound(
        "not above 1", #""critical":1,"name":"a.caf","volume":1.5"#,
        .wrong("!aps.sound.volume must-be-from-0-to-1")),
      .sound(
        "not below 0", #""critical":1,"name":"a.caf","volume":-0.1"#,
        .wrong("!aps.sound.volume must-be-from-0-to-1")),
      .sound(
        "no string", #""critical":1,"name":"a.caf","volume":"1""#, .wrong("!aps.sound.volume must-be-number")),
      .sound(
        "no null", #""critical":1,"name":"a.caf","volume":null"#, .wrong("!aps.sound.volume must-be-number")),
    ] as [ApplePayload])
  func volume(payload: ApplePayload) throws { try payload.check() }

  @Test("a key that is not in the table")
  func otherKeys() throws {
    try ApplePayload.sound(
      "nothing of others", #""name":"a.caf","pitch":2"#, .unsaid("aps.sound.pitch unknown-sound-key")
    ).check()
  }
}

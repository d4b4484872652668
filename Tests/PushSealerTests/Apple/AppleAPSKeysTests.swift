import Testing

/// "Generating a remote notification", table 1: keys to include in the `aps` dictionary.
struct AppleAPSKeysTests {
  @Test(
    "alert: a dictionary, or a string, which is the body",
    arguments: [
      .aps(
        "a string is shown as the body", #""alert":"Message received from Bob""#, .allowed, leaks: "aps.alert"
      ),
      .aps(
        "a dictionary is recommended", #""alert":{"title":"T","subtitle":"S","body":"B"}"#, .allowed,
        leaks: "aps.alert.body aps.alert.subtitle"),
      .aps(
        "nothing of an empty string", #""alert":"""#, .unsaid("aps.alert alert-without-text"),
        leaks: "aps.alert"),
      .aps("no number", #""alert":5"#, .wrong("!aps.alert must-be-string-or-object"), leaks: "aps.alert"),
      .aps("no array", #""alert":["a"]"#, .wrong("!aps.alert must-be-string-or-object"), leaks: "aps.alert"),
      .aps("no boolean", #""alert":true"#, .wrong("!aps.alert must-be-string-or-object"), leaks: "aps.alert"),
      .aps("no null", #""alert":null"#, .wrong("!aps.alert must-be-string-or-object"), leaks: "aps.alert"),
    ] as [ApplePayload])
  func alert(payload: ApplePayload) throws { try payload.check() }

  @Test(
    "badge: a number; 0 removes the current badge",
    arguments: [
      .aps("a number", #""badge":9"#, .allowed, leaks: "aps.badge"),
      .aps("0 removes it", #""badge":0"#, .allowed, leaks: "aps.badge"),
      .aps("no limit", #""badge":9223372036854775807"#, .allowed, leaks: "aps.badge"),
      .aps(
        "nothing of numbers beyond 64 bits", #""badge":9223372036854775808"#,
        .unsaid("!aps.badge must-be-integer"), leaks: "aps.badge"),
      .aps(
        "nothing of negative numbers", #""badge":-1"#, .unsaid("!aps.badge must-not-be-negative"),
        leaks: "aps.badge"),
      .aps(
        "nothing of fractions", #""badge":1.5"#, .unsaid("!aps.badge must-be-integer"), leaks: "aps.badge"),
      .aps("no string", #""badge":"9""#, .wrong("!aps.badge must-be-integer"), leaks: "aps.badge"),
      .aps("no boolean", #""badge":true"#, .wrong("!aps.badge must-be-integer"), leaks: "aps.badge"),
      .aps("no null", #""badge":null"#, .wrong("!aps.badge must-be-integer"), leaks: "aps.badge"),
    ] as [ApplePayload])
  func badge(payload: ApplePayload) throws { try payload.check() }

  @Test(
    "sound: a string, or a dictionary for critical alerts",
    arguments: [
      .aps("a file's name", #""sound":"bingbong.aiff""#, .allowed, leaks: "aps.sound"),
      .aps("default is the system's sound", #""sound":"default""#, .allowed),
      .aps(
        "a dictionary for critical alerts", #""sound":{"critical":1,"name":"alarm.caf","volume":0.5}"#,
        .allowed,
        leaks: "aps.sound"),
      .aps(
        "nothing of a name without an extension", #""sound":"bell""#,
        .unsaid("aps.sound sound-without-extension"), leaks: "aps.sound"),
      .aps(
        "nothing of an empty name", #""sound":"""#, .unsaid("aps.sound sound-without-extension"),
        leaks: "aps.sound"),
      .aps("no number", #""sound":1"#, .wrong("!aps.sound must-be-string-or-object"), leaks: "aps.sound"),
      .aps("no null", #""sound":null"#, .wrong("!aps.sound must-be-string-or-object"), leaks: "aps.sound"),
    ] as [ApplePayload])
  func sound(payload: ApplePayload) throws { try payload.check() }

  @Test(
    "thread-id, category, target-content-id and filter-criteria: strings",
    arguments: [
      .aps("a string", #""thread-id":"chat-42""#, .allowed, leaks: "aps.thread-id"),
      .aps("an empty string is one", #""thread-id":"""#, .allowed, leaks: "aps.thread-id"),
      .aps("no number", #""thread-id":42"#, .wrong("!aps.thread-id must-be-string"), leaks: "aps.thread-id"),
      .aps("no null", #""thread-id":null"#, .wrong("!aps.thread-id must-be-string"), leaks: "aps.thread-id"),
      .aps("a string", #""category":"GAME_INVITATION""#, .allowed, leaks: "aps.category"),
      .aps("no array", #""category":["C"]"#, .wrong("!aps.category must-be-string"), leaks: "aps.category"),
      .aps("a string", #""target-content-id":"window-1""#, .allowed, leaks: "aps.target-content-id"),
      .aps(
        "no number", #""target-content-id":7"#, .wrong("!aps.target-content-id must-be-string"),
        leaks: "aps.target-content-id"),
      .aps("a string", #""filter-criteria":"work""#, .allowed, leaks: "aps.filter-criteria"),
      .aps(
        "no dictionary", #""filter-criteria":{"a":1}"#, .wrong("!aps.filter-criteria must-be-string"),
        leaks: "aps.filter-criteria"),
    ] as [ApplePayload])
  func strings(payload: ApplePayload) throws { try payload.check() }

  @Test(
    "content-available and mutable-content: a number, 1",
    arguments: [
      .aps("1 updates in the background", #""content-available":1"#, .allowed),
      .aps(
        "nothing of 0", #""content-available":0"#, .unsaid("!aps.content-available must-be-1"),
        leaks: "aps.content-available"),
      .aps(
        "no string", #""content-available":"1""#, .wrong("!aps.content-available must-be-1"),
        leaks: "aps.content-available"),
      .aps(
        "no boolean", #""content-available":true"#, .wrong("!aps.content-available must-be-1"),
        leaks: "aps.content-available"),
      .aps("1 runs the extension", #""mutable-content":1,"alert":{"title":"T"}"#, .allowed),
      .aps(
        "nothing of 2", #""mutable-content":2,"alert":{"title":"T"}"#,
        .unsaid("!aps.mutable-content must-be-1"),
        leaks: "aps.mutable-content"),
      .aps(
        "no string", #""mutable-content":"1","alert":{"title":"T"}"#,
        .wrong("!aps.mutable-content must-be-1"),
        leaks: "aps.mutable-content"),
      .aps(
        "only alerts run the extension", #""mutable-content":1,"badge":1"#,
        .ignored("aps.mutable-content extension-not-run"), leaks: "aps.badge"),
    ] as [ApplePayload])
  func flags(payload: ApplePayload) throws { try payload.check() }

  @Test(
    "interruption-level: one of four strings",
    arguments: [
      .aps("passive", #""interruption-level":"passive""#, .allowed, leaks: "aps.interruption-level"),
      .aps("active", #""interruption-level":"active""#, .allowed, leaks: "aps.interruption-level"),
      .aps(
        "time-sensitive", #""interruption-level":"time-sensitive""#, .allowed, leaks: "aps.interruption-level"
      ),
      .aps("critical", #""interruption-level":"critical""#, .allowed, leaks: "aps.interruption-level"),
      .aps(
        "no other string", #""interruption-level":"Active""#, .wrong("!aps.interruption-level unknown-value"),
        leaks: "aps.interruption-level"),
      .aps(
        "no number", #""interruption-level":1"#, .wrong("!aps.interruption-level must-be-string"),
        leaks: "aps.interruption-level"),
    ] as [ApplePayload])
  func interruptionLevel(payload: ApplePayload) throws { try payload.check() }

  @Test(
    "relevance-score: a number from 0 to 1",
    arguments: [
      .aps("0", #""relevance-score":0"#, .allowed, leaks: "aps.relevance-score"),
      .aps("between", #""relevance-score":0.75"#, .allowed, leaks: "aps.relevance-score"),
      .aps("1", #""relevance-score":1"#, .allowed, leaks: "aps.relevance-score"),
      .aps("1 however it is written", #""relevance-score":10e-1"#, .allowed, leaks: "aps.relevance-score"),
      .aps(
        "not above 1", #""relevance-score":1.0001"#, .wrong("!aps.relevance-score must-be-from-0-to-1"),
        leaks: "aps.relevance-score"),
      .aps(
        "not below 0", #""relevance-score":-0.5"#, .wrong("!aps.relevance-score must-be-from-0-to-1"),
        leaks: "aps.relevance-score"),
      .aps(
        "nothing of what is smaller than a double", #""relevance-score":1e-400"#,
        .unsaid("!aps.relevance-score must-be-number"), leaks: "aps.relevance-score"),
      .aps(
        "no string", #""relevance-score":"1""#, .wrong("!aps.relevance-score must-be-number"),
        leaks: "aps.relevance-score"),
      .aps(
        "no boolean", #""relevance-score":true"#, .wrong("!aps.relevance-score must-be-number"),
        leaks: "aps.relevance-score"),
    ] as [ApplePayload])
  func relevanceScore(payload: ApplePayload) throws { try payload.check() }

  @Test(
    "custom keys in aps are ignored",
    arguments: [
      .aps(
        "they are ignored", #""gameID":"12345678""#, .ignored("aps.gameID unknown-aps-key"),
        leaks: "aps.gameID"),
      .aps(
        "an alert's key is none of aps", #""title":"T""#, .ignored("aps.title unknown-aps-key"),
        leaks: "aps.title"),
      .aps(
        "keys are case-sensitive", #""Badge":1"#, .ignored("aps.Badge unknown-aps-key"), leaks: "aps.Badge"),
    ] as [ApplePayload])
  func customKeys(payload: ApplePayload) throws { try payload.check() }
}

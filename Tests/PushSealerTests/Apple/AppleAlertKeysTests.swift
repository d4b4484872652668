import Testing

/// "Generating a remote notification", table 2: keys to include in the `alert` dictionary; and of the guide of 2010 what
/// the table no longer has.
struct AppleAlertKeysTests {
  @Test(
    "title, subtitle, body: strings, none of them required",
    arguments: [
      .alert("a title alone is one", #""title":"Game Request""#, .allowed),
      .alert("a body alone is one", #""body":"Bob wants to play poker""#, .allowed, leaks: "aps.alert.body"),
      .alert(
        "all three", #""title":"T","subtitle":"S","body":"B""#, .allowed,
        leaks: "aps.alert.body aps.alert.subtitle"),
      .alert(
        "nothing of a subtitle alone", #""subtitle":"Five Card Draw""#,
        .unsaid("aps.alert alert-without-text"), leaks: "aps.alert.subtitle"),
      .alert("nothing of an empty dictionary", "", .unsaid("aps.alert alert-without-text")),
      .alert(
        "nothing of empty strings", #""title":"","body":"""#, .unsaid("aps.alert alert-without-text"),
        leaks: "aps.alert.body"),
      .alert("no number", #""title":1"#, .wrong("!aps.alert.title must-be-string"), leaks: "aps.alert.title"),
      .alert(
        "no null", #""title":null"#, .wrong("!aps.alert.title must-be-string"), leaks: "aps.alert.title"),
      .alert(
        "no number", #""title":"T","subtitle":1"#, .wrong("!aps.alert.subtitle must-be-string"),
        leaks: "aps.alert.subtitle"),
      .alert("no array", #""body":["B"]"#, .wrong("!aps.alert.body must-be-string"), leaks: "aps.alert.body"),
      .alert("nothing of U+0000", #""title":"A\u0000B""#, .unsaid("!aps.alert.title contains-nul")),
    ] as [ApplePayload])
  func texts(payload: ApplePayload) throws { try payload.check() }

  @Test(
    "launch-image: a string",
    arguments: [
      .alert("a string", #""title":"T","launch-image":"Game""#, .allowed, leaks: "aps.alert.launch-image"),
      .alert(
        "no number", #""title":"T","launch-image":1"#, .wrong("!aps.alert.launch-image must-be-string"),
        leaks: "aps.alert.launch-image"),
      .alert(
        "no null", #""title":"T","launch-image":null"#, .wrong("!aps.alert.launch-image must-be-string"),
        leaks: "aps.alert.launch-image"),
    ] as [ApplePayload])
  func launchImage(payload: ApplePayload) throws { try payload.check() }

  @Test(
    "title-loc-key, subtitle-loc-key, loc-key: strings, in place of the texts",
    arguments: [
      .alert("in place of the title", #""title-loc-key":"K""#, .allowed, leaks: "aps.alert.title-loc-key"),
      .alert("in place of the body", #""loc-key":"K""#, .allowed, leaks: "aps.alert.loc-key"),
      .alert(
        "in place of the subtitle", #""title":"T","subtitle-loc-key":"K""#, .allowed,
        leaks: "aps.alert.subtitle-loc-key"),
      .alert(
        "nothing of both", #""title":"T","title-loc-key":"K""#, .allowed, leaks: "aps.alert.title-loc-key"),
      .alert(
        "nothing of a subtitle alone", #""subtitle-loc-key":"K""#, .unsaid("aps.alert alert-without-text"),
        leaks: "aps.alert.subtitle-loc-key"),
      .alert(
        "no number", #""title":"T","loc-key":1"#, .wrong("!aps.alert.loc-key must-be-string"),
        leaks: "aps.alert.loc-key"),
      .alert(
        "no null", #""title":"T","title-loc-key":null"#, .wrong("!aps.alert.title-loc-key must-be-string"),
        leaks: "aps.alert.title-loc-key"),
    ] as [ApplePayload])
  func localizationKeys(payload: ApplePayload) throws { try payload.check() }

  @Test(
    "title-loc-args, subtitle-loc-args, loc-args: arrays of strings for %@",
    arguments: [
      .alert(
        "one for each %@", #""loc-key":"GAME_PLAY_REQUEST_FORMAT","loc-args":["Shelly","Rick"]"#, .allowed,
        leaks: "aps.alert.loc-key aps.alert.loc-args"),
      .alert(
        "an empty array is one", #""loc-key":"K","loc-args":[]"#, .allowed,
        leaks: "aps.alert.loc-key aps.alert.loc-args"),
      .alert(
        "of a title", #""title-loc-key":"K","title-loc-args":["a"]"#, .allowed,
        leaks: "aps.alert.title-loc-key aps.alert.title-loc-args"),
      .alert(
        "of a subtitle", #""title":"T","subtitle-loc-key":"K","subtitle-loc-args":["a"]"#, .allowed,
        leaks: "aps.alert.subtitle-loc-key aps.alert.subtitle-loc-args"),
      .alert(
        "no numbers in it", #""loc-key":"K","loc-args":["a",1]"#,
        .wrong("!aps.alert.loc-args must-be-array-of-strings"), leaks: "aps.alert.loc-key aps.alert.loc-args"),
      .alert(
        "no string", #""loc-key":"K","loc-args":"a""#, .wrong("!aps.alert.loc-args must-be-array-of-strings"),
        leaks: "aps.alert.loc-key aps.alert.loc-args"),
      .alert(
        "no null in it", #""title-loc-key":"K","title-loc-args":[null]"#,
        .wrong("!aps.alert.title-loc-args must-be-array-of-strings"),
        leaks: "aps.alert.title-loc-key aps.alert.title-loc-args"),
      .alert(
        "nothing of arguments without a key", #""title":"T","title-loc-args":["a"]"#,
        .unsaid("!aps.alert.title-loc-args needs-loc-key"), leaks: "aps.alert.title-loc-args"),
    ] as [ApplePayload])
  func localizationArguments(payload: ApplePayload) throws { try payload.check() }

  @Test(
    "action-loc-key, in the guide of 2010 alone: a string, or null for a single button",
    arguments: [
      .alert(
        "a string", #""title":"T","action-loc-key":"PLAY""#,
        .ignored("aps.alert.action-loc-key deprecated-key"),
        leaks: "aps.alert.action-loc-key"),
      .alert(
        "null", #""title":"T","action-loc-key":null"#, .ignored("aps.alert.action-loc-key deprecated-key"),
        leaks: "aps.alert.action-loc-key"),
      .alert(
        "no number", #""title":"T","action-loc-key":1"#,
        .wrong("!aps.alert.action-loc-key must-be-string-or-null"),
        leaks: "aps.alert.action-loc-key"),
    ] as [ApplePayload])
  func actionKey(payload: ApplePayload) throws { try payload.check() }

  @Test(
    "a key that is not in the table",
    arguments: [
      .alert(
        "nothing of others", #""title":"T","colour":"red""#, .unsaid("aps.alert.colour unknown-alert-key"),
        leaks: "aps.alert.colour"),
      .alert(
        "a badge is no part of it", #""title":"T","badge":1"#, .unsaid("aps.alert.badge unknown-alert-key"),
        leaks: "aps.alert.badge"),
    ] as [ApplePayload])
  func otherKeys(payload: ApplePayload) throws { try payload.check() }
}

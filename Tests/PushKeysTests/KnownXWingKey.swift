import PushCore
import PushKeys

/// An X-Wing key pair that pyca's `cryptography` made, and its set, which can be read even without the suite.
enum KnownXWingKey {
  static let seed = "hDVaMcVHVCSiuNvCFhCtO8KsX1aZDguRi4DFN0W4W2o"

  /// SHA-256 of the required members, from Python's `hashlib`.
  static let thumbprint = "849sbFKQu2lI7_Ab8MCgYo5RbsQD416TSHbUhHUsGdg"

  static let publicKey = """
    UgiRBvFwaayuv0xXzCK4yJeIMTQVTsuhQCWbnERFUSG7PHpTAtSF12MTMbMFY9CZICaCEWUfFEuT_rVJOHlrD2dDmKJLNacwCONWVMsb\
    gmGgC-q_xFEkGqioFENWELpNjAUPXgEsPrtr3JRvhOhYR-\
    t9Y8ytpPwM24iu1ROZKcBr1omFauKwjMEuAaQP23OsU0O1VhcaCVpm48NqzMBvLZlQXsM1ApV4xip6eROnfwCffjmiUDdYW9wLgEyR3G\
    BH3SOq5jWNEpqd0GSsVMJ0HHWSJ2QX_HGvjCJfbwpRPZaghLtuZbp_terC6Goa4UjF0lECnDXOH3oSuWV2e4taQ-LCDTVmmYJ-\
    RJQp94LABYBobHfNLcxitPFwJWVoJEw-C6kWMLCz23Kp_BlYB3hcbpwuGLMgJ-\
    Rd2LuWfbES0Ze2Z5wvWTdNK_yNnzQkmWsx8UmxjtFh4tBxD3ORCLCSp-KIiGpM3nSBv0iZLeamlFE79xNxSnEQoOAPZotAg4DGn-\
    EFISimxnQvecdpygizVkWdbeGULSQDiUsNuInBMGKuy8GmaDCEZHWmwNl6uhxFUkWsxBu8kjOiblUsWMhQ-QaDIYQ3-\
    ZUh6wpkuBgIwxR2K4BbBBQBSDITFckgWIOdOJKFg7EJOaWVy_GMmPhuzVNioOAk2jJmtvKQRPVA8kZzkGGVrIV73aO1y0B98yVM4eAWR\
    EIZT4EzxtsXVjkdkfO4FakKyJWTlEKYhWqcloVpKimYQBpoUZZkaykdCUw1ncdaoIaTk-\
    GIV4ZtNtCZ5zwKjCKMI6RAy1BIctwbqzFTzluXJmQGwyw_mRC2VdoXXTJLAOw3tcV-PDUJPkwJoftOPAgcOpEaTTp5quo9slIt_CkWnE\
    tkxRstBLIrVHxA58ACLHwHcLVH3yxAKAEmzYkp00jF72OabjhEr1O9wAR9kWh1X_zIM5Jd20crNJQ1_WzI1fwNRxVxBENRnquh0CwoIR\
    qORmd2AhdHVgOa6ngQdqcvv6mmQAQgrmOr1VowbUEihIKCWdsZKGdUQvyUaDEOhYqad5tmlQicqnhTxwdUOnCDu1usveGpWzwQQ5tjJ-\
    q7KDC4YWuqwea8fiZ9oxKn9tWOM9WA23cEJ2KiU4UOaXWa1ruW5lUZrzJoJrJMr2FGVyZu1HZU_UNuHyxnhgNHdxJldJhi1zR5IJxwEY\
    eW7MGMriJPiiRXdzVvPrd3SlI1S6d672gJb0appyxYvtiG9tc70zktSzwHxVcdR-FNdisRQjd4TEaLbvYssEQ9J-NnVwOksThw-\
    efMB8FDYsyNoXFmlnB5UGGh4PEsKIcq7RCsMFp7ZeI2SEykRaBMWwVaL-lUpqjLMEp1ZgByXFtu4qe4b4WbRRB6E4RFmcQfzBg-\
    mQRjgxSOq1luB_lrEdgPgjCxQibEbaZbzWdwrTmbBDdAvbQGdTI-zTqtsPZWGXeloWS4Yko48CWosMoI8RESzNiRmzC47XmxgfCXgCAm\
    B6N74FK0U1lHo2pKW9F6M9Zw08xYCVtu9XQDYNDOUS7gOOnI1rcBMPADE6KwolikgIHHOVUtUQI0QAXETmGdOzTS6h6aAyqH-\
    L22fr78omEBcvgiuX8lRkjYUJ62aQ
    """

  /// The key as in a private set.
  static let privateKey = key(secret: #""priv":"\#(seed)","#)

  /// The key as in a public set.
  static let publicHalf = key(secret: "")

  private static func key(secret: String) -> String {
    #"{"kty":"AKP","pub":"\#(publicKey)",\#(secret)"kid":"\#(thumbprint)","use":"enc","alg":"xwing-aesgcm","#
      + #""iat":\#(start.seconds),"status":"active"}"#
  }

  /// A private set with a key for X25519 and this one.
  static func set() throws -> KeySet {
    try parse(setText(keyTexts(text(Kind.x25519.makeSet())) + [privateKey]))
  }
}

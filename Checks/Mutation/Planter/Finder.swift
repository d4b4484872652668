import SwiftSyntax

/// Finds the mutants of a file.
final class Finder: SyntaxVisitor {
  private let module: String
  private let file: String
  private let locations: SourceLocationConverter
  /// The names of the types and the function around the visited code.
  private var scopes: [String] = []
  /// How often a change with the same name was found.
  private var counts: [String: Int] = [:]
  /// Expressions that were already forced as a part of a condition.
  private var conditions: Set<SyntaxIdentifier> = []
  private(set) var mutants: [Mutant] = []

  init(_ tree: some SyntaxProtocol, file: String, module: String) {
    self.file = file
    self.module = module
    locations = SourceLocationConverter(fileName: file, tree: tree)
    super.init(viewMode: .sourceAccurate)
    walk(tree)
  }

  // MARK: Adding

  private func add(
    _ kind: Operator, at node: some SyntaxProtocol, from original: String, to replacement: String,
    _ edits: [Edit]
  ) {
    let (start, end) = span(node)
    let words = [original, replacement].map {
      $0.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
    let name = (file.split(separator: "/").last ?? "") + ":" + scopes.joined(separator: ".")
    let content = "\(name):\(kind.rawValue):\(words[0])\0\(words[1])"
    let ordinal = counts[content, default: 0]
    counts[content] = ordinal + 1
    let location = locations.location(for: node.positionAfterSkippingLeadingTrivia)
    mutants.append(
      Mutant(
        id: "\(name):\(kind.rawValue):\(Self.digest("\(words[0])\0\(words[1])\0\(ordinal)"))",
        module: module, file: file,
        line: location.line, column: location.column, operator: kind.rawValue, original: words[0],
        replacement: words[1], start: start, end: end, edits: edits))
  }

  /// 24 bits of FNV-1a: enough for the changes of one kind in one function.
  private static func digest(_ text: String) -> String {
    let hash = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    let digits = String((hash ^ hash >> 24 ^ hash >> 48) & 0xFF_FFFF, radix: 16)
    return String(repeating: "0", count: 6 - digits.count) + digits
  }

  private func span(_ node: some SyntaxProtocol) -> (start: Int, end: Int) {
    (node.positionAfterSkippingLeadingTrivia.utf8Offset, node.endPositionBeforeTrailingTrivia.utf8Offset)
  }

  /// Replaces an expression if the switch is on.
  private func replace(_ kind: Operator, _ node: some SyntaxProtocol, by replacement: String) {
    let (start, end) = span(node)
    add(
      kind, at: node, from: node.trimmedDescription, to: replacement,
      [Edit(at: start, "(mutant(#) ? \(replacement) : ("), Edit(at: end, "))")])
  }

  /// Leaves a statement out if the switch is on.
  private func leaveOut(_ kind: Operator, _ node: some SyntaxProtocol) {
    let (start, end) = span(node)
    add(
      kind, at: node, from: node.trimmedDescription, to: "",
      [Edit(at: start, "if !mutant(#) { "), Edit(at: end, " }")])
  }

  /// Puts a helper of Switch.swift in place of an infix operator.
  private func call(
    _ helper: String, _ kind: Operator, _ node: InfixOperatorExprSyntax, for new: String
  ) {
    let (start, end) = span(node)
    let sign = span(node.operator)
    let (left, right) = (node.leftOperand.trimmedDescription, node.rightOperand.trimmedDescription)
    add(
      kind, at: node, from: node.trimmedDescription, to: "\(left) \(new) \(right)",
      [
        Edit(at: start, "\(helper)(#, "), Edit(at: sign.start, to: sign.end, ","), Edit(at: end, ")"),
      ])
  }

  // MARK: Conditions

  /// Forces an expression, or its operands, to be always true or always false.
  private func force(_ node: ExprSyntax, _ kind: Operator, to values: [Bool]) {
    conditions.insert(node.id)
    if let tuple = node.as(TupleExprSyntax.self), tuple.elements.count == 1, let first = tuple.elements.first
    {
      return force(first.expression, kind, to: values)
    }
    let inner = Self.bare(node)
    if let infix = inner.as(InfixOperatorExprSyntax.self) {
      let sign = infix.operator.trimmedDescription
      if sign == "&&" || sign == "||" {
        conditions.insert(inner.id)
        let rest = sign == "&&"
        if values.contains(!rest) { replace(kind, node, by: "\(!rest)") }
        force(infix.leftOperand, .operand, to: [rest])
        force(infix.rightOperand, .operand, to: [rest])
        return
      }
      if Self.boundaries[sign] != nil || sign == "==" || sign == "!=" { conditions.insert(inner.id) }
    }
    if inner.is(BooleanLiteralExprSyntax.self) { return }
    for value in values { replace(kind, node, by: "\(value)") }
  }

  /// An expression without `try`, `await` and `unsafe`.
  private static func bare(_ node: ExprSyntax) -> ExprSyntax {
    if let node = node.as(TryExprSyntax.self) { return bare(node.expression) }
    if let node = node.as(AwaitExprSyntax.self) { return bare(node.expression) }
    if let node = node.as(UnsafeExprSyntax.self) { return bare(node.expression) }
    return node
  }

  private func force(_ elements: ConditionElementListSyntax, to values: [Bool]) {
    var isForced = false
    for element in elements {
      guard case .expression(let condition) = element.condition else { continue }
      force(condition, .condition, to: values)
      isForced = true
    }
    guard !isForced, values.contains(false), let first = elements.first else { return }
    add(
      .condition, at: elements, from: elements.trimmedDescription, to: "false",
      [Edit(at: span(first).start, "!mutant(#), ")])
  }

  override func visit(_ node: IfExprSyntax) -> SyntaxVisitorContinueKind {
    force(node.conditions, to: [true, false])
    return .visitChildren
  }

  override func visit(_ node: GuardStmtSyntax) -> SyntaxVisitorContinueKind {
    force(node.conditions, to: [true])
    return .visitChildren
  }

  override func visit(_ node: WhileStmtSyntax) -> SyntaxVisitorContinueKind {
    force(node.conditions, to: [false])
    return .visitChildren
  }

  override func visit(_ node: RepeatStmtSyntax) -> SyntaxVisitorContinueKind {
    force(node.condition, .condition, to: [false])
    return .visitChildren
  }

  override func visit(_ node: TernaryExprSyntax) -> SyntaxVisitorContinueKind {
    force(node.condition, .condition, to: [true, false])
    return .visitChildren
  }

  override func visit(_ node: WhereClauseSyntax) -> SyntaxVisitorContinueKind {
    force(node.condition, .condition, to: [true, false])
    return .visitChildren
  }

  // MARK: Operators

  private static let boundaries = [
    "<": ("mutantLess", "<="), "<=": ("mutantLessOrEqual", "<"),
    ">": ("mutantGreater", ">="), ">=": ("mutantGreaterOrEqual", ">"),
  ]

  private static let arithmetic = [
    "+": ("mutantPlus", "-"), "-": ("mutantMinus", "+"), "*": ("mutantTimes", "+"),
    "/": ("mutantDivided", "*"),
    "&+": ("mutantWrappingPlus", "&-"), "&-": ("mutantWrappingMinus", "&+"),
  ]

  override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
    let sign = node.operator.trimmedDescription
    if !conditions.contains(node.id), Self.boundaries[sign] != nil || ["==", "!=", "&&", "||"].contains(sign)
    {
      force(ExprSyntax(node), .comparison, to: [true, false])
    }
    if let (helper, new) = Self.boundaries[sign], !node.leftOperand.is(TupleExprSyntax.self) {
      call(helper, .boundary, node, for: new)
    }
    if let (helper, new) = Self.arithmetic[sign], !isSequence(node.leftOperand),
      !isSequence(node.rightOperand)
    {
      call(helper, .arithmetic, node, for: new)
    }
    return .visitChildren
  }

  /// Whether an operand of `+` is a string or an array, as its form says.
  private func isSequence(_ node: ExprSyntax) -> Bool {
    if let infix = node.as(InfixOperatorExprSyntax.self) {
      return isSequence(infix.leftOperand) || isSequence(infix.rightOperand)
    }
    if let call = node.as(FunctionCallExprSyntax.self) {
      return call.calledExpression.is(ArrayExprSyntax.self)
        || ["Array", "String"].contains(call.calledExpression.trimmedDescription)
        || call.trailingClosure != nil
    }
    return node.is(StringLiteralExprSyntax.self) || node.is(ArrayExprSyntax.self)
  }

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    if Exclusions.isCall(node) { return .skipChildren }
    let name = node.calledExpression.trimmedDescription
    if ["min", "max"].contains(name), node.arguments.count == 2, let first = node.arguments.first {
      let other = name == "min" ? "max" : "min"
      let (start, end) = span(node.calledExpression)
      add(
        .arithmetic, at: node, from: node.trimmedDescription,
        to: other + node.trimmedDescription.dropFirst(3),
        [
          Edit(at: start, to: end, name == "min" ? "mutantMin" : "mutantMax"),
          Edit(at: span(first).start, "#, "),
        ])
    }
    return .visitChildren
  }

  override func visit(_ node: BooleanLiteralExprSyntax) -> SyntaxVisitorContinueKind {
    if !conditions.contains(node.id) {
      replace(.constant, node, by: node.literal.text == "true" ? "false" : "true")
    }
    return .skipChildren
  }

  override func visit(_ node: IntegerLiteralExprSyntax) -> SyntaxVisitorContinueKind {
    let text = node.literal.text
    guard let value = Self.value(text) else { return .skipChildren }
    // A value with all bits set would no longer fit its type.
    let isLess = value == 1 || value >= 15 && value & (value &+ 1) == 0
    let new = isLess ? value - 1 : value &+ 1
    replace(.integer, node, by: text.hasPrefix("0x") ? "0x" + String(new, radix: 16) : String(new))
    return .skipChildren
  }

  private static func value(_ literal: String) -> UInt64? {
    let digits = literal.filter { $0 != "_" }
    let radices: [String: Int] = ["0x": 16, "0o": 8, "0b": 2]
    guard let radix = radices[String(digits.prefix(2))] else { return UInt64(digits) }
    return UInt64(digits.dropFirst(2), radix: radix)
  }

  // MARK: Statements

  override func visit(_ node: CodeBlockItemSyntax) -> SyntaxVisitorContinueKind {
    switch node.item {
    case .expr(let expression) where !isValue(node): visit(expression, of: node)
    case .stmt(let statement):
      if statement.is(ThrowStmtSyntax.self), mayGoOn(after: node) { leaveOut(.throw, statement) }
      if statement.is(ReturnStmtSyntax.self), mayGoOn(after: node) { leaveOut(.return, statement) }
    default: break
    }
    return .visitChildren
  }

  private func visit(_ expression: ExprSyntax, of item: CodeBlockItemSyntax) {
    let inner = Self.bare(expression)
    if let infix = inner.as(InfixOperatorExprSyntax.self) {
      let isDiscarded = infix.leftOperand.is(DiscardAssignmentExprSyntax.self)
      // The compiler requires that an initializer sets every property.
      let isInitial = isInInitializer(item) && !isDiscarded
      let sign = infix.operator.trimmedDescription
      if infix.operator.is(AssignmentExprSyntax.self) && !isInitial || sign.isCompoundAssignment {
        leaveOut(isDiscarded ? .call : .assignment, expression)
      }
    }
    var called = inner
    if let chain = called.as(OptionalChainingExprSyntax.self) { called = chain.expression }
    if let call = called.as(FunctionCallExprSyntax.self), !Exclusions.isCall(call) {
      leaveOut(.call, expression)
    }
  }

  private func isInInitializer(_ item: CodeBlockItemSyntax) -> Bool {
    var node = Syntax(item)
    while let parent = node.parent, !parent.is(ClosureExprSyntax.self), !parent.is(FunctionDeclSyntax.self) {
      if parent.is(InitializerDeclSyntax.self) { return true }
      node = parent
    }
    return false
  }

  /// Whether a node is the value of a function, a closure, or an `if` or `switch` expression.
  private func isValue(_ item: CodeBlockItemSyntax) -> Bool {
    guard let list = item.parent?.as(CodeBlockItemListSyntax.self), list.count == 1, let owner = list.parent
    else {
      return false
    }
    if owner.is(ClosureExprSyntax.self) { return true }
    if owner.is(AccessorBlockSyntax.self) { return true }
    var branch: Syntax?
    if owner.is(SwitchCaseSyntax.self) {
      branch = owner.parent?.parent
    } else if owner.is(CodeBlockSyntax.self), let parent = owner.parent {
      if let function = parent.as(FunctionDeclSyntax.self) { return !function.returnsNothing }
      if parent.is(AccessorDeclSyntax.self) {
        return parent.as(AccessorDeclSyntax.self)?.accessorSpecifier.tokenKind == .keyword(.get)
      }
      guard parent.is(IfExprSyntax.self) else { return false }
      branch = parent
      while let outer = branch?.parent?.as(IfExprSyntax.self) { branch = Syntax(outer) }
    }
    guard let branch else { return false }
    guard let statement = branch.parent?.as(ExpressionStmtSyntax.self) else { return true }
    guard let outer = statement.parent?.as(CodeBlockItemSyntax.self) else { return true }
    return isValue(outer)
  }

  /// Whether code follows if a `throw` or `return` is left out, other than the code that runs if the `if` around it
  /// does not apply.
  private func mayGoOn(after item: CodeBlockItemSyntax) -> Bool {
    guard let list = item.parent?.as(CodeBlockItemListSyntax.self), let owner = list.parent else {
      return false
    }
    if let branch = owner.parent?.as(IfExprSyntax.self), list.count == 1, branch.elseBody == nil {
      return false
    }
    return isFollowed(item)
  }

  /// Whether other code follows a statement, or the function needs no result.
  private func isFollowed(_ item: CodeBlockItemSyntax) -> Bool {
    guard let list = item.parent?.as(CodeBlockItemListSyntax.self), var owner = list.parent else {
      return false
    }
    if item != list.last { return true }
    // A block belongs to a statement, which may be a case of a `switch`, or an `if` after an `else`.
    while !owner.is(CodeBlockItemSyntax.self) {
      if owner.is(ForStmtSyntax.self) || owner.is(WhileStmtSyntax.self) { return true }
      if let function = owner.as(FunctionDeclSyntax.self) {
        return function.returnsNothing && !item.item.is(ReturnStmtSyntax.self)
      }
      let ends: [any SyntaxProtocol.Type] = [
        GuardStmtSyntax.self, ClosureExprSyntax.self, InitializerDeclSyntax.self, AccessorBlockSyntax.self,
      ]
      if ends.contains(where: { owner.is($0) }) { return false }
      guard let next = owner.parent else { return false }
      owner = next
    }
    return owner.as(CodeBlockItemSyntax.self).map(isFollowed) ?? false
  }

  // MARK: Functions

  private func enter(_ name: String, _ attributes: AttributeListSyntax) -> SyntaxVisitorContinueKind {
    scopes.append(name)
    return Exclusions.isText(name) || Exclusions.isInlinable(attributes) ? .skipChildren : .visitChildren
  }

  private func leave() { scopes.removeLast() }

  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
    let labels = node.signature.parameterClause.parameters.map { $0.firstName.text + ":" }.joined()
    let name = "\(node.name.text)(\(labels))"
    scopes.append(name)
    if Exclusions.isText(node.name.text) || Exclusions.isInlinable(node.attributes) { return .skipChildren }
    if let body = node.body {
      returnAtOnce(
        from: body.statements, type: node.signature.returnClause?.type.trimmedDescription ?? "Void")
    }
    return .visitChildren
  }
  override func visitPost(_: FunctionDeclSyntax) { leave() }

  /// Makes a function or a computed property return the simplest value at once.
  private func returnAtOnce(from statements: CodeBlockItemListSyntax, type: String) {
    let values: [String]
    switch type {
    case "Void", "()": values = statements.count > 1 ? [""] : []
    case "Bool": values = ["true", "false"]
    case _ where type.hasSuffix("?"): values = ["nil"]
    case _ where type.hasPrefix("[") && type.hasSuffix("]") && !type.contains(" of "):
      values = [type.contains(":") ? "[:]" : "[]"]
    default: values = []
    }
    guard let first = statements.first else { return }
    guard statements.count == 1, case .expr(let expression) = first.item else {
      if statements.count == 1, case .expr = first.item { return }
      let isOneStatement = statements.count == 1
      if isOneStatement, case .stmt(let statement) = first.item, statement.is(ExpressionStmtSyntax.self),
        type != "Void"
      {
        return
      }
      let start = span(first).start
      for value in values {
        let text = value.isEmpty ? "return" : "return \(value)"
        add(.return, at: first, from: "", to: text, [Edit(at: start, "if mutant(#) { \(text) }; ")])
      }
      return
    }
    let inner = Self.bare(expression)
    if inner.is(BooleanLiteralExprSyntax.self) || inner.is(NilLiteralExprSyntax.self) { return }
    if let infix = inner.as(InfixOperatorExprSyntax.self) {
      let sign = infix.operator.trimmedDescription
      if type == "Bool", Self.boundaries[sign] != nil || ["==", "!=", "&&", "||"].contains(sign) { return }
    }
    for value in values where value != "" { replace(.return, expression, by: value) }
  }

  override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
    // A local variable is not a scope.
    guard node.isMember else { return .visitChildren }
    let name = node.bindings.first?.pattern.trimmedDescription ?? ""
    if let binding = node.bindings.first, let type = binding.typeAnnotation?.type.trimmedDescription,
      case .getter(let statements) = binding.accessorBlock?.accessors, !Exclusions.isText(name)
    {
      scopes.append(name)
      returnAtOnce(from: statements, type: type)
      scopes.removeLast()
    }
    return enter(name, node.attributes)
  }
  override func visitPost(_ node: VariableDeclSyntax) { if node.isMember { leave() } }

  override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
    let labels = node.signature.parameterClause.parameters.map { $0.firstName.text + ":" }.joined()
    return enter("init(\(labels))", node.attributes)
  }
  override func visitPost(_: InitializerDeclSyntax) { leave() }

  override func visit(_ node: DeinitializerDeclSyntax) -> SyntaxVisitorContinueKind {
    enter("deinit", node.attributes)
  }
  override func visitPost(_: DeinitializerDeclSyntax) { leave() }

  override func visit(_ node: SubscriptDeclSyntax) -> SyntaxVisitorContinueKind {
    enter("subscript", node.attributes)
  }
  override func visitPost(_: SubscriptDeclSyntax) { leave() }

  override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(node.name.text, node.attributes)
  }
  override func visitPost(_: StructDeclSyntax) { leave() }

  override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(node.name.text, node.attributes)
  }
  override func visitPost(_: ClassDeclSyntax) { leave() }

  override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(node.name.text, node.attributes)
  }
  override func visitPost(_: ActorDeclSyntax) { leave() }

  override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(node.name.text, node.attributes)
  }
  override func visitPost(_: EnumDeclSyntax) { leave() }

  override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

  override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(node.extendedType.trimmedDescription, node.attributes)
  }
  override func visitPost(_: ExtensionDeclSyntax) { leave() }

  // MARK: Exclusions

  override func visit(_ node: IfConfigDeclSyntax) -> SyntaxVisitorContinueKind {
    if let elements = Exclusions.activeClause(node)?.elements { walk(elements) }
    return .skipChildren
  }

  override func visit(_: StringLiteralExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_: AttributeSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_: EnumCaseDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_: ExpressionPatternSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_: GenericArgumentSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_: MacroExpansionExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_: AvailabilityConditionSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

  override func visit(_ node: LabeledExprSyntax) -> SyntaxVisitorContinueKind {
    node.label.map { Exclusions.isText($0.text) } == true ? .skipChildren : .visitChildren
  }
}

extension FunctionDeclSyntax {
  fileprivate var returnsNothing: Bool {
    ["Void", "()"].contains(signature.returnClause?.type.trimmedDescription ?? "Void")
  }
}

extension VariableDeclSyntax {
  /// Whether a variable is a property or a global, not a local one.
  fileprivate var isMember: Bool { parent?.is(MemberBlockItemSyntax.self) == true }
}

extension String {
  fileprivate var isCompoundAssignment: Bool {
    ["+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "&+=", "&-=", "&*="].contains(self)
  }
}

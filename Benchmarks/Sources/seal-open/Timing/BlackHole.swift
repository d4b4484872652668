/// Takes a result and does nothing with it, so that the optimizer cannot leave out the work that made it.
@inline(never) @_optimize(none)
func blackHole<Result>(_ result: Result) {}

let collidingX1 = ""
let collidingX2 = ""

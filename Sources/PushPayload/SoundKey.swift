/// The keys that Apple defines in a sound's object (`aps.sound`).
enum SoundKey: String {
  case name, critical, volume

  var path: String { "\(Sound.path).\(rawValue)" }
}

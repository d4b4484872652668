// A phone's use of a format that CryptoKit cannot open.
import PushCompat

func format(_ key: HomeAssistantKey) -> HomeAssistant { HomeAssistant(key: key) }

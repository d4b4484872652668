import PushCompat

package android.media;

public final class AudioAttributes {
  public static final int USAGE_NOTIFICATION = 5;

  public static class Builder {
    public Builder setUsage(int usage) { return this; }
    public AudioAttributes build() { return null; }
  }
}

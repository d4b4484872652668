package android.app;

public class Notification {
  public static final int VISIBILITY_PRIVATE = 0;

  public abstract static class Style {}

  public static class BigTextStyle extends Style {
    public BigTextStyle bigText(CharSequence text) { return this; }
  }

  public static class Builder {
    public Builder(android.content.Context context, String channel) {}
    public Builder setAutoCancel(boolean is) { return this; }
    public Builder setContentText(CharSequence text) { return this; }
    public Builder setContentTitle(CharSequence text) { return this; }
    public Builder setGroup(String key) { return this; }
    public Builder setNumber(int number) { return this; }
    public Builder setSmallIcon(int icon) { return this; }
    public Builder setStyle(Style style) { return this; }
    public Builder setSubText(CharSequence text) { return this; }
    public Builder setVisibility(int visibility) { return this; }
    public Notification build() { return null; }
  }
}

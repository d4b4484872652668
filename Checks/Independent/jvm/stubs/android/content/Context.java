package android.content;

public abstract class Context {
  public abstract String getPackageName();
  public final <T> T getSystemService(Class<T> type) { return null; }
}

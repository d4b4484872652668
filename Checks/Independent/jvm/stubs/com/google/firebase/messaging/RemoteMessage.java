package com.google.firebase.messaging;

public final class RemoteMessage {
  public static final int PRIORITY_HIGH = 1;

  public java.util.Map<String, String> getData() { return null; }
  public int getPriority() { return 0; }
}

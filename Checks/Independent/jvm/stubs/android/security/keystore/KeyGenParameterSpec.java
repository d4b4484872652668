package android.security.keystore;

public final class KeyGenParameterSpec implements java.security.spec.AlgorithmParameterSpec {
  private KeyGenParameterSpec() {}

  public static final class Builder {
    public Builder(String alias, int purposes) {}
    public Builder setAlgorithmParameterSpec(java.security.spec.AlgorithmParameterSpec spec) { return this; }
    public Builder setBlockModes(String... modes) { return this; }
    public Builder setEncryptionPaddings(String... paddings) { return this; }
    public Builder setIsStrongBoxBacked(boolean is) { return this; }
    public Builder setKeySize(int bits) { return this; }
    public KeyGenParameterSpec build() { return null; }
  }
}

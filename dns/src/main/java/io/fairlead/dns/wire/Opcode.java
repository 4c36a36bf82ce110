package io.fairlead.dns.wire;

/// Numbers of operations.
public final class Opcode {
  public static final int QUERY = 0;
  public static final int IQUERY = 1;
  public static final int STATUS = 2;
  public static final int NOTIFY = 4;
  public static final int UPDATE = 5;

  private Opcode() {}
}

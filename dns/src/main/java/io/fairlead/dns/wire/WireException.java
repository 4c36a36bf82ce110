package io.fairlead.dns.wire;

/// Says that bytes are no DNS message. Carries no stack trace: any client may send such bytes, as
/// many as they like.
public final class WireException extends Exception {
  /// What is wrong.
  public enum Reason {
    CUT_SHORT("the message ends too early"),
    LABEL_TYPE("a label of an unknown type"),
    POINTER("a compression pointer that does not point backwards"),
    NAME_TOO_LONG("a name of more than 255 bytes"),
    BAD_DATA("record data that does not fit its type"),
    BAD_OPTION("an EDNS option longer than its record"),
    SEVERAL_OPT("more than one OPT record");

    private final String text;

    Reason(String text) {
      this.text = text;
    }
  }

  private final Reason reason;

  public WireException(Reason reason) {
    super(reason.text, null, false, false);
    this.reason = reason;
  }

  public Reason reason() {
    return reason;
  }
}

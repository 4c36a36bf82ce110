package io.fairlead.dns.zonefile;

/// Text that is no record or no zone, with the line at fault.
public final class ZoneFileException extends Exception {
  public ZoneFileException(int line, String problem) {
    super("line " + line + ": " + problem);
  }
}

package io.fairlead.kernel.netlink;

import io.fairlead.kernel.syscall.Errno;
import io.fairlead.kernel.syscall.SystemCallException;

/// The kernel refused a netlink message. The object is what the message was about, written as a
/// person would type it: `add element ip proxy services { 10.96.0.1 . tcp . 80 }`.
public final class NetlinkException extends SystemCallException {
  private static final long serialVersionUID = 1;

  /// @param text the kernel's own words (extended acknowledgement), empty when it gave none
  public NetlinkException(String object, Errno errno, String text) {
    super(object, "netlink", errno, text);
  }
}

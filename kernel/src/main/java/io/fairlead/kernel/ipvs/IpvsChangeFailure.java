package io.fairlead.kernel.ipvs;

import io.fairlead.kernel.syscall.Errno;

/// A change the kernel did not make.
///
/// @param text the kernel's own words, empty when it gave none
public record IpvsChangeFailure(IpvsChange change, Errno errno, String text) {

  /// What was to be added is there, which happens when another program was quicker.
  public boolean alreadyExists() {
    return errno.equals(Errno.EEXIST);
  }

  /// What was to be changed or deleted is not there; or, for a new virtual server, its scheduler.
  public boolean isNotFound() {
    return errno.equals(Errno.ENOENT) || errno.equals(Errno.ESRCH);
  }

  /// `add virtual server tcp 10.96.0.1:443 twos: ENOENT (the kernel has no scheduler twos)`.
  @Override
  public String toString() {
    String why = text.isEmpty() ? hint() : " (" + text + ")";
    return change + ": " + errno.name() + why;
  }

  private String hint() {
    if (!isNotFound()) {
      return "";
    }
    return switch (change) {
      case IpvsChange.AddServer(VirtualServer server) ->
          " (the kernel has no scheduler " + server.scheduler() + ")";
      case IpvsChange.SetServer _,
          IpvsChange.DeleteServer _,
          IpvsChange.AddReal _,
          IpvsChange.SetReal _,
          IpvsChange.DeleteReal _ ->
          " (it is not there)";
    };
  }
}

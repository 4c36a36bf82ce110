package io.fairlead.agent.runtime;

import java.util.List;
import java.util.OptionalLong;

/// Who a container's programs are and what they may do.
///
/// @param user empty for what the image says
/// @param group empty for what the image says
/// @param groups further groups
/// @param add capabilities beyond the usual ones
/// @param drop capabilities less than the usual ones
/// @param filtered system calls are filtered by the engine's own profile
public record LinuxContainerSecurityContext(
    OptionalLong user,
    OptionalLong group,
    List<Long> groups,
    boolean privileged,
    boolean readOnlyRoot,
    boolean noNewPrivileges,
    List<String> add,
    List<String> drop,
    boolean filtered) {
  public static final LinuxContainerSecurityContext NONE =
      new LinuxContainerSecurityContext(
          OptionalLong.empty(),
          OptionalLong.empty(),
          List.of(),
          false,
          false,
          false,
          List.of(),
          List.of(),
          false);

  public LinuxContainerSecurityContext {
    groups = List.copyOf(groups);
    add = List.copyOf(add);
    drop = List.copyOf(drop);
  }
}

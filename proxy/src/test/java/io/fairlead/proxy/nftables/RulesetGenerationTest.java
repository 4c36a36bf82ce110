package io.fairlead.proxy.nftables;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.kernel.syscall.NetworkNamespace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The word for the state of rules, in namespaces of the test's own.
@Tag("system")
final class RulesetGenerationTest {
  private static final Duration LIMIT = Duration.ofMinutes(1);

  @Test
  void theSameWordMeansTheSameRules() {
    List<String> words = new ArrayList<>();
    // The second is made when the first is gone: the kernel may give it the same inode.
    for (int round = 0; round < 2; round++) {
      NetworkNamespace namespace =
          NetworkNamespace.create("flw" + ProcessHandle.current().pid() + "-" + round);
      try {
        String empty = namespace.call(RulesetGeneration::now);
        assertThat(namespace.call(RulesetGeneration::now)).isEqualTo(empty).isNotEmpty();
        words.add(empty);
        words.add(after(namespace, "add table ip a"));
        words.add(after(namespace, "add chain ip a b"));
        words.add(after(namespace, "delete table ip a"));
      } finally {
        namespace.delete();
      }
    }
    assertThat(words).doesNotHaveDuplicates();
  }

  private static String after(NetworkNamespace namespace, String change) {
    CommandRunner.Result result =
        CommandRunner.inside(namespace, LIMIT).run(change, List.of("nft", "-f", "-"));
    assertThat(result.succeeded()).as(result.error()).isTrue();
    return namespace.call(RulesetGeneration::now);
  }
}

package io.fairlead.agent.containerd;

import static io.fairlead.agent.MemoryCluster.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.agent.network.HostNamespace;
import io.fairlead.agent.testing.TestNode;
import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.kernel.syscall.NetworkNamespace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Which tables of a node stay when its engine has gone.
@Tag("system")
class PortmapTablesTest {
  private static final String TABLE =
      "add table ip nat; add chain ip nat PREROUTING {type nat hook prerouting priority -100;}";

  @TempDir Path directory;

  /// @param before what is there when the engine comes
  /// @param meanwhile what is made while it runs
  private record Row(String name, String before, String meanwhile, boolean stays) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Row> rows() {
    return Stream.of(
        new Row("made for the port mapper", "", TABLE, false),
        new Row("there before", TABLE, "", true),
        new Row(
            "somebody has a rule in it", "", TABLE + "; add rule ip nat PREROUTING accept", true),
        new Row("somebody has a chain in it", "", TABLE + "; add chain ip nat DOCKER", true),
        new Row("of another family", "add table ip6 nat", TABLE, false),
        new Row("never made", "", "", false));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rows")
  void onlyWhatWasMadeAndIsOfNoUseGoes(Row row) throws IOException {
    NetworkNamespace node = TestNode.machine("tables");
    try {
      PortmapTables tables = new PortmapTables(HostNamespace.of(node), directory.resolve("tables"));
      nft(node, row.before);
      tables.remember();
      nft(node, row.meanwhile);
      // An agent that starts again does not take what it finds for what was there.
      tables.remember();
      tables.remove();
      assertThat(nft(node, "list tables").contains("table ip nat")).isEqualTo(row.stays);
      assertThat(directory).isEmptyDirectory();
    } finally {
      node.delete();
    }
  }

  private static String nft(NetworkNamespace node, String script) {
    CommandRunner.Result result =
        CommandRunner.inside(node, PATIENCE)
            .run(script.replace("; add", "\nadd"), List.of("nft", "-f", "-"));
    assertThat(result.exit()).as(result.error()).isZero();
    return result.output();
  }
}

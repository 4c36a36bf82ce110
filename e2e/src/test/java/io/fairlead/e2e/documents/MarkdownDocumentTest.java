package io.fairlead.e2e.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.e2e.documents.FencedBlock.Mark;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Markdown is cut into blocks, commands and what they print.
class MarkdownDocumentTest {
  @Test
  void commandsAndTheirOutputKeepTheirLines() {
    MarkdownDocument document =
        MarkdownDocument.parse(
            "page.md",
            """
            # Title
            <!-- varies: 10.0.0.1 x -->
            Text.

            <!-- any order, fails -->
            ```console
            $ one
            a
            b
            $ cat <<END
            > two
            >
            > END
            two
            ```

            ```yaml
            kind: Service
            ```
            <!-- not run: it is typed elsewhere -->
            ```console
            $ three
            ```
            """);
    assertThat(document.varying()).containsExactlyInAnyOrder("10.0.0.1", "x");
    assertThat(document.blocks()).hasSize(3);
    FencedBlock first = document.blocks().getFirst();
    assertThat(first.marks()).containsExactlyInAnyOrder(Mark.ANY_ORDER, Mark.FAILS);
    assertThat(first.exchanges())
        .containsExactly(
            new ConsoleCommand(7, "one", List.of("a", "b")),
            new ConsoleCommand(10, "cat <<END\ntwo\n\nEND", List.of("two")));
    assertThat(document.typed()).containsExactly(first);
  }

  @Test
  void aWalkInOneModeLeavesOutWhatIsAboutOthers() {
    MarkdownDocument document =
        MarkdownDocument.parse(
            "page.md",
            """
            <!-- names the mode -->
            ```console
            $ up --mode=iptables
            iptables
            ```
            ```console
            $ every
            ```
            <!-- in mode iptables -->
            ```console
            $ iptables
            ```
            <!-- changes the mode, in mode nftables -->
            ```console
            $ mode nftables
            ```
            <!-- in mode nftables, any order -->
            ```console
            $ nft
            ```
            <!-- in mode ipvs -->
            ```console
            $ ipvsadm
            ```
            <!-- once -->
            ```console
            $ once
            ```
            """);
    assertThat(commands(document.typed()))
        .containsExactly("up --mode=iptables", "every", "iptables", "mode nftables", "nft", "once");
    assertThat(commands(document.typedIn("nftables")))
        .containsExactly("up --mode=nftables", "every", "nft");
    assertThat(commands(document.typedIn("userspace")))
        .containsExactly("up --mode=userspace", "every");
    assertThat(commands(document.typedIn("ipvs")))
        .containsExactly("up --mode=ipvs", "every", "ipvsadm");
    assertThat(document.typedIn("ipvs").getFirst().exchanges().getFirst().printed())
        .containsExactly("ipvs");
  }

  private static List<String> commands(List<FencedBlock> blocks) {
    return blocks.stream()
        .flatMap(block -> block.exchanges().stream())
        .map(ConsoleCommand::command)
        .toList();
  }

  private record Bad(String name, String markdown, String said) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Bad> bad() {
    return Stream.of(
        new Bad("output without a command", "```console\na\n```\n", "page.md:2: a block of"),
        new Bad("commands nobody types", "\n```sh\n$ a\n```\n", "page.md:2: commands stand in"),
        new Bad(
            "a block without an end", "```console\n$ a\n", "page.md:1: this block does not end"),
        new Bad("an unknown comment", "<!-- often -->\n", "page.md:1: unknown comment: often"),
        new Bad("not run without a reason", "<!-- not run -->\n", "page.md:1: a block that is not"),
        new Bad(
            "a comment about nothing", "<!-- fails -->\nText.\n", "page.md:2: a comment about a"));
  }

  @ParameterizedTest
  @MethodSource("bad")
  void isRefused(Bad row) {
    assertThatThrownBy(() -> MarkdownDocument.parse("page.md", row.markdown()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(row.said());
  }
}

/// Documents are tests: every command block of README, walkthrough and guides is typed and what it
/// prints is compared with the text below it.
///
/// ## How a document is written
///
/// A block with the info string `console` is typed, in order, in one shell for the whole document.
/// A line that begins with `$ ` is a command, `> ` continues it, all other lines are what it
/// prints, on standard output and standard error. Blocks of other kinds (`text`, `yaml`, `java`)
/// are not typed.
///
/// What varies is written as it was once seen. These are compared by form:
///
/// | written | stands for |
/// |---|---|
/// | `12s`, `3m10s`, `2d` | any age |
/// | `0.9 s`, `1.4 ms` | any time |
/// | `pid 4711`, `137 MiB` | any process, any size |
/// | `hostnames-7c9d5f6b8-2kd8x` | a generated name: the same word is always the same thing, another word another thing |
/// | `…` at the end or inside of a line | any text |
/// | `…` alone in a line | any lines, also none |
/// | `/root/.kube/config` | the kubeconfig, wherever it is |
/// | several blanks | one blank |
///
/// Lines in which `up` only says what it is still waiting for do not count. Everything else must be
/// exactly so. A comment before a block says more; the reader of the page does not see it:
/// - `<!-- varies: 10.244.0.5 30871 -->`, anywhere: these words stand for others of the same form,
///   for the rest of the document; the same word for the same, another for another.
/// - `<!-- any order -->`: the lines below a command come in any order.
/// - `<!-- numbers vary -->`: a whole number stands for any other.
/// - `<!-- fails -->`: a command of this block may end with a status other than 0.
/// - `<!-- not run: REASON -->`: the block is only shown.
/// - `<!-- in mode nftables -->`: the block is about that mode of the proxy.
/// - `<!-- changes the mode -->`: the block leads from one mode to another.
/// - `<!-- once -->`: the block has nothing to do with the proxy, or each mode has one like it, and
///   need not be typed in every mode.
/// - `<!-- names the mode -->`: the word `iptables` in it stands for any mode.
///
/// A page is typed from its first block to its last on an ordinary machine, but for blocks in mode
/// ipvs; then once more in every other mode from the start, without the blocks that are about
/// another mode or change it. For ipvs that happens in a guest whose kernel has it.
///
/// Several go into one comment, with commas between. A command that only looks (`kubectl get`,
/// `curl`, `dig`, …; see `ReadOnlyCommands`) is repeated until it prints what is written, for a
/// minute: the parts of a cluster agree a moment after a change, not at once. All others are typed
/// once.
@NullMarked
package io.fairlead.e2e.documents;

import org.jspecify.annotations.NullMarked;

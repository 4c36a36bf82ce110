package io.fairlead.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// The words of the codebase: each type has a name of its own that no JDK type has, and names and
/// prose use the field's words.
final class GlossaryTest {
  /// Words that hide who does what, with what to write instead.
  private static final Map<String, String> WORDS =
      Map.of(
          "rooms?(?! for\\b)", "module",
          "doors?", "entry point, listener or API",
          "house", "codebase",
          "nobody|somebody|whoever", "the component or user that is meant",
          "anew", "again, or a verb such as reread or rewrite",
          "by the way", "nothing, or the condition");

  /// What a type's name may not contain, as a word of its own.
  private static final Pattern TYPE_WORDS =
      Pattern.compile("(Room|Door|House|Nobody|Somebody|Whoever|Anew)s?(?![a-z])");

  private static final Pattern TYPE_NAME = Pattern.compile("\\b[A-Z][a-z]+(?:[A-Z][a-z0-9]*)+\\b");
  private static final Pattern COMMENT = Pattern.compile("(?:^|\\s)//+(.*)$");
  private static final Pattern SCRIPT_COMMENT = Pattern.compile("(?:^|\\s)#+ (.*)$");
  private static final Pattern FENCED = Pattern.compile("(?ms)^```.*?^```");
  private static final Pattern CODE = Pattern.compile("`[^`]*`");
  private static final Pattern LINE_COMMENT = Pattern.compile("(?m)^\\s*//.*$");
  private static final Pattern IDENTIFIER = Pattern.compile("\\b[A-Z]\\w*");
  private static final Pattern DECLARED =
      Pattern.compile(
          "\\b(?:class|record|interface|enum|java_outer_classname\\s*=)\\s+\"?([A-Z]\\w*)");
  private static final Pattern PACKAGE_ROW = Pattern.compile("\\| `[a-z.]+`(, `[a-z.]+`)* \\|");
  private static final Pattern QUOTED_TYPE =
      Pattern.compile(
          "`(?:[a-z]\\w*\\.)*([A-Z][a-z0-9]+(?:[A-Z][A-Za-z0-9]*)*)(?:\\.[A-Za-z]\\w*)?`");
  private static final Pattern PARAMETER = Pattern.compile("@param \\w+");

  @Test
  void noTypeShadowsOneOfTheLanguage() throws IOException {
    Set<String> shadowed = new TreeSet<>();
    for (Path file : SourceTree.mainTypes()) {
      shadowed.add(SourceTree.typeName(file));
    }
    Set<String> known = new TreeSet<>(publicNames("java/lang"));
    known.addAll(publicNames("java/util"));
    shadowed.retainAll(known);
    assertThat(shadowed).isEmpty();
  }

  private static Set<String> publicNames(String directory) throws IOException {
    Path classes =
        FileSystems.getFileSystem(URI.create("jrt:/")).getPath("modules/java.base", directory);
    try (Stream<Path> files = Files.list(classes)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".class") && !name.contains("$"))
          .map(name -> name.substring(0, name.length() - ".class".length()))
          .filter(name -> isPublic(directory.replace('/', '.') + "." + name))
          .collect(Collectors.toSet());
    }
  }

  private static boolean isPublic(String name) {
    try {
      return java.lang.reflect.Modifier.isPublic(Class.forName(name, false, null).getModifiers());
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  @Test
  void everyTypeHasANameOfItsOwn() {
    Map<String, List<String>> files = new TreeMap<>();
    for (Path file : SourceTree.mainTypes()) {
      files.computeIfAbsent(SourceTree.typeName(file), _ -> new ArrayList<>()).add(file.toString());
    }
    files.values().removeIf(places -> places.size() == 1);
    assertThat(files).isEmpty();
  }

  @Test
  void theFlowsNameTypesThatExist() {
    String page = SourceTree.read(Path.of("docs/architecture.md"));
    String flows = page.substring(page.indexOf("## Three flows"), page.indexOf("## Three ideas"));
    Set<String> named = new TreeSet<>();
    FENCED
        .matcher(flows)
        .results()
        .flatMap(block -> TYPE_NAME.matcher(block.group()).results())
        .forEach(name -> named.add(name.group()));
    assertThat(named).hasSizeGreaterThan(30);
    SourceTree.mainTypes().forEach(file -> named.remove(SourceTree.typeName(file)));
    assertThat(named).isEmpty();
  }

  /// A name in backticks that could be a type's: in a table of packages it must be one of ours,
  /// elsewhere some source must use it (types of the JDK and names of the API are fine).
  @TestFactory
  Stream<DynamicTest> readmesNameTypesThatExist() {
    Set<String> used = new TreeSet<>();
    Set<String> types = new TreeSet<>();
    for (String module : SourceTree.modules()) {
      for (String ending : List.of(".java", ".proto")) {
        for (Path file : SourceTree.files(Path.of(module, "src"), ending)) {
          String code = LINE_COMMENT.matcher(SourceTree.read(file)).replaceAll("");
          IDENTIFIER.matcher(code).results().forEach(word -> used.add(word.group()));
          DECLARED.matcher(code).results().forEach(type -> types.add(type.group(1)));
        }
      }
    }
    return SourceTree.modules().stream()
        .map(module -> Path.of(module, "README.md"))
        .filter(file -> Files.exists(Repository.root().resolve(file)))
        .map(
            file ->
                DynamicTest.dynamicTest(
                    file.toString(), () -> assertThat(unknownNames(file, used, types)).isEmpty()));
  }

  private static List<String> unknownNames(Path file, Set<String> used, Set<String> types) {
    String text = FENCED.matcher(SourceTree.read(file)).replaceAll("");
    List<String> unknown = new ArrayList<>();
    for (String line : text.lines().toList()) {
      Set<String> known = PACKAGE_ROW.matcher(line).lookingAt() ? types : used;
      QUOTED_TYPE
          .matcher(line)
          .results()
          .map(name -> name.group(1))
          .filter(name -> !known.contains(name))
          .forEach(unknown::add);
    }
    return unknown;
  }

  @Test
  void namesOfTypesUseTheFieldsWords() {
    assertThat(
            SourceTree.modules().stream()
                .flatMap(module -> SourceTree.files(Path.of(module, "src"), ".java").stream())
                .filter(file -> TYPE_WORDS.matcher(SourceTree.typeName(file)).find()))
        .isEmpty();
  }

  @TestFactory
  Stream<DynamicTest> proseUsesTheFieldsWords() {
    return Stream.concat(
            SourceTree.modules().stream(), Stream.of("docs", "examples", "bin", "root"))
        .map(module -> DynamicTest.dynamicTest(module, () -> checkProse(module)));
  }

  private static void checkProse(String module) {
    List<String> found = new ArrayList<>();
    for (Path file : proseFiles(module)) {
      List<String> lines = prose(file);
      for (Map.Entry<String, String> word : WORDS.entrySet()) {
        Pattern pattern =
            Pattern.compile("\\b(?:" + word.getKey() + ")\\b", Pattern.CASE_INSENSITIVE);
        lines.stream()
            .filter(line -> pattern.matcher(line).find())
            .forEach(line -> found.add(file + ": say " + word.getValue() + " in: " + line.strip()));
      }
    }
    assertThat(found).isEmpty();
  }

  private static List<Path> proseFiles(String module) {
    if (module.equals("root")) {
      return Stream.of("README.md", "CONTRIBUTING.md", "dev", "fairlead").map(Path::of).toList();
    }
    if (module.equals("bin")) {
      return SourceTree.files(Path.of(module), "");
    }
    List<Path> files = new ArrayList<>(SourceTree.files(Path.of(module), ".md"));
    files.addAll(SourceTree.files(Path.of(module), ".java"));
    files.removeIf(file -> file.endsWith("GlossaryTest.java"));
    return files;
  }

  /// Comments of Java and of scripts, text of Markdown; without code.
  private static List<String> prose(Path file) {
    String text = SourceTree.read(file);
    if (file.toString().endsWith(".md")) {
      return CODE.matcher(FENCED.matcher(text).replaceAll("")).replaceAll("").lines().toList();
    }
    Pattern start = file.toString().endsWith(".java") ? COMMENT : SCRIPT_COMMENT;
    List<String> comments = new ArrayList<>();
    for (String line : text.lines().toList()) {
      Matcher comment = start.matcher(line);
      if (comment.find() && !line.substring(0, comment.start()).contains("\"")) {
        comments.add(
            PARAMETER.matcher(CODE.matcher(comment.group(1)).replaceAll("")).replaceAll(""));
      }
    }
    return comments;
  }
}

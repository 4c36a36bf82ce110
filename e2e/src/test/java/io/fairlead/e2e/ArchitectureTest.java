package io.fairlead.e2e;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// Holds the direction of dependencies between the rooms, and the calls that main code may not
/// make.
class ArchitectureTest {
  /// Room to the rooms it may use. A new room needs a row.
  private static final Map<String, Set<String>> MAY_USE =
      Map.ofEntries(
          Map.entry("schema", Set.of()),
          Map.entry("api", Set.of()),
          Map.entry("store", Set.of()),
          Map.entry("server", Set.of("api", "store")),
          Map.entry("client", Set.of("api")),
          Map.entry("controller", Set.of("api", "client")),
          Map.entry("kernel", Set.of()),
          Map.entry("proxy", Set.of("api", "client", "kernel")),
          Map.entry("dns", Set.of("api", "client", "kernel")),
          Map.entry("agent", Set.of("api", "client", "kernel")),
          Map.entry(
              "app",
              Set.of(
                  "api",
                  "store",
                  "server",
                  "client",
                  "controller",
                  "kernel",
                  "proxy",
                  "dns",
                  "agent")),
          Map.entry(
              "e2e",
              Set.of(
                  "api",
                  "store",
                  "server",
                  "client",
                  "controller",
                  "kernel",
                  "proxy",
                  "dns",
                  "agent",
                  "app")));

  private static final JavaClasses MAIN =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .withImportOption(location -> !location.contains("-tests.jar"))
          .importPackages("io.fairlead");

  /// A call that hides time or chance from tests.
  private record Forbidden(String owner, String method, String instead) {}

  private static final List<Forbidden> FORBIDDEN =
      List.of(
          new Forbidden("java.lang.Thread", "sleep", "wait on a condition or take a pacer"),
          new Forbidden("java.time.Instant", "now", "take an InstantSource"),
          new Forbidden("java.time.ZonedDateTime", "now", "take an InstantSource"),
          new Forbidden("java.time.LocalDateTime", "now", "take an InstantSource"),
          new Forbidden("java.lang.System", "currentTimeMillis", "take an InstantSource"),
          new Forbidden("java.util.Random", "<init>", "take a RandomGenerator"),
          new Forbidden("java.lang.Math", "random", "take a RandomGenerator"));

  /// One contract in two packages, on purpose: a request's context carries who may do what, and
  /// deciding that reads the cluster.
  private static final DescribedPredicate<JavaClass> AUTHENTICATION =
      JavaClass.Predicates.resideInAPackage("io.fairlead.server.auth..");

  private static final DescribedPredicate<JavaClass> RESOURCE =
      JavaClass.Predicates.resideInAPackage("io.fairlead.server.resource");

  @Test
  void everyRoomHasARow() {
    assertThat(rooms()).isSubsetOf(MAY_USE.keySet()).contains("api", "store", "server", "app");
  }

  @TestFactory
  Stream<DynamicTest> roomsUseOnlyWhatTheyMay() {
    return MAY_USE.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .map(
            row ->
                DynamicTest.dynamicTest(row.getKey(), () -> check(row.getKey(), row.getValue())));
  }

  private static void check(String room, Set<String> allowed) {
    String[] others =
        MAY_USE.keySet().stream()
            .filter(other -> !other.equals(room) && !allowed.contains(other))
            .map(other -> "io.fairlead." + other + "..")
            .toArray(String[]::new);
    noClasses()
        .that()
        .resideInAPackage("io.fairlead." + room + "..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(others)
        .allowEmptyShould(true)
        .check(MAIN);
  }

  @TestFactory
  Stream<DynamicTest> mainCodeDoesNotCall() {
    return FORBIDDEN.stream()
        .map(
            call ->
                DynamicTest.dynamicTest(
                    call.owner() + "." + call.method() + ": " + call.instead(),
                    () ->
                        noClasses()
                            .should()
                            .accessTargetWhere(targets(call))
                            .because(call.instead())
                            .check(MAIN)));
  }

  private static DescribedPredicate<com.tngtech.archunit.core.domain.JavaAccess<?>> targets(
      Forbidden call) {
    return DescribedPredicate.describe(
        call.owner() + "." + call.method(),
        access ->
            access instanceof JavaCodeUnitAccess<?>
                && access.getTarget().getName().equals(call.method())
                && access.getTargetOwner().getFullName().equals(call.owner()));
  }

  @Test
  void onlyTheKernelRoomTouchesForeignMemory() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.fairlead.kernel..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("java.lang.foreign..")
        .check(MAIN);
  }

  @TestFactory
  Stream<DynamicTest> packagesOfARoomHaveNoCycles() {
    return rooms().stream()
        .map(
            room ->
                DynamicTest.dynamicTest(
                    room,
                    () ->
                        slices()
                            .matching("io.fairlead." + room + ".(*)..")
                            .should()
                            .beFreeOfCycles()
                            .ignoreDependency(AUTHENTICATION, RESOURCE)
                            .allowEmptyShould(true)
                            .check(MAIN)));
  }

  private static Set<String> rooms() {
    return MAIN.stream()
        .map(JavaClass::getPackageName)
        .map(name -> name.split("\\.")[2])
        .collect(Collectors.toCollection(TreeSet::new));
  }
}

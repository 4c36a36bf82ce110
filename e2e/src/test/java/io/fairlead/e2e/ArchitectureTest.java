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
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// Holds the direction of dependencies between the modules, and the calls that main code may not
/// make.
class ArchitectureTest {
  /// Module to the modules it may use. A new module needs a row.
  private static final Map<String, Set<String>> MAY_USE =
      Map.ofEntries(
          Map.entry("schema", Set.of()),
          Map.entry("work", Set.of()),
          Map.entry("api", Set.of()),
          Map.entry("store", Set.of("work")),
          Map.entry("http", Set.of("work", "api")),
          Map.entry("server", Set.of("work", "api", "http", "store")),
          Map.entry("client", Set.of("work", "api", "http")),
          Map.entry("controller", Set.of("work", "api", "client")),
          Map.entry("kernel", Set.of("work")),
          Map.entry("proxy", Set.of("work", "api", "http", "client", "kernel")),
          Map.entry("policy", Set.of("work", "api", "http", "client", "kernel")),
          Map.entry("dns", Set.of("work", "api", "http", "client", "kernel")),
          Map.entry("agent", Set.of("work", "api", "http", "client", "kernel")),
          Map.entry(
              "insight",
              Set.of(
                  "work",
                  "api",
                  "http",
                  "client",
                  "controller",
                  "kernel",
                  "proxy",
                  "policy",
                  "dns")),
          Map.entry("ui", Set.of("work", "api", "http", "client", "controller", "insight")),
          Map.entry(
              "app",
              Set.of(
                  "work",
                  "api",
                  "http",
                  "store",
                  "server",
                  "client",
                  "controller",
                  "kernel",
                  "proxy",
                  "policy",
                  "dns",
                  "agent",
                  "insight",
                  "ui")),
          // Calls `app` across a class loader, by name.
          Map.entry("junit", Set.of()),
          Map.entry(
              "e2e",
              Set.of(
                  "work",
                  "api",
                  "http",
                  "store",
                  "server",
                  "client",
                  "controller",
                  "kernel",
                  "proxy",
                  "policy",
                  "dns",
                  "agent",
                  "insight",
                  "ui",
                  "app")));

  private static final JavaClasses MAIN =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .withImportOption(location -> !location.contains("-tests.jar"))
          .withImportOption(location -> !location.contains("/bench/"))
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

  /// Ways to start a thread or to have one started. Background work is a
  /// `io.fairlead.work.SupervisedLoop` or a task of `io.fairlead.work.Tasks`.
  private static final Map<String, Set<String>> THREADS =
      Map.of(
          "java.lang.Thread", Set.of("ofVirtual", "ofPlatform", "startVirtualThread", "<init>"),
          "java.util.concurrent.CompletableFuture", Set.of("runAsync", "supplyAsync"),
          "java.util.concurrent.ThreadPoolExecutor", Set.of("<init>"),
          "java.util.concurrent.ScheduledThreadPoolExecutor", Set.of("<init>"),
          "java.util.concurrent.ForkJoinPool", Set.of("<init>"),
          "java.util.Timer", Set.of("<init>"));

  private static final String EXECUTORS = "java.util.concurrent.Executors";

  /// Packages that may have fewer than three types. A benchmark's package is part of its name.
  private static final Set<String> SMALL_PACKAGES =
      Set.of(
          "bench/chain",
          "bench/dataplane",
          "bench/explain",
          "bench/junit",
          "bench/rules",
          "bench/soak",
          "bench/startup",
          "bench/up",
          "dns",
          "insight/testing",
          "kernel/testing",
          "policy/testing",
          "server/resources",
          "store/testing");

  /// One contract in two packages, on purpose: a request's context carries who may do what, and
  /// deciding that reads the cluster.
  private static final DescribedPredicate<JavaClass> AUTHENTICATION =
      JavaClass.Predicates.resideInAPackage("io.fairlead.server.auth..");

  private static final DescribedPredicate<JavaClass> RESOURCE =
      JavaClass.Predicates.resideInAPackage("io.fairlead.server.resource");

  @Test
  void everyModuleHasARow() {
    assertThat(modules()).isSubsetOf(MAY_USE.keySet()).contains("api", "store", "server", "app");
  }

  @TestFactory
  Stream<DynamicTest> modulesUseOnlyWhatTheyMay() {
    return MAY_USE.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .map(
            row ->
                DynamicTest.dynamicTest(row.getKey(), () -> check(row.getKey(), row.getValue())));
  }

  private static void check(String module, Set<String> allowed) {
    String[] others =
        MAY_USE.keySet().stream()
            .filter(other -> !other.equals(module) && !allowed.contains(other))
            .map(other -> "io.fairlead." + other + "..")
            .toArray(String[]::new);
    noClasses()
        .that()
        .resideInAPackage("io.fairlead." + module + "..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(others)
        .allowEmptyShould(true)
        .check(MAIN);
  }

  /// The functions that name reasons are pure; the controllers around them are not for commands.
  @Test
  void insightUsesOfTheControllersOnlyWhatNamesReasons() {
    noClasses()
        .that()
        .resideInAPackage("io.fairlead.insight..")
        .should()
        .dependOnClassesThat(
            JavaClass.Predicates.resideInAPackage("io.fairlead.controller..")
                .and(
                    DescribedPredicate.not(
                        JavaClass.Predicates.resideInAPackage("io.fairlead.controller.serving"))))
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
  void onlyTheWorkModuleStartsThreads() {
    noClasses()
        .that(
            DescribedPredicate.describe(
                "are outside of the module work",
                type -> !module(type.getPackageName()).equals("work")))
        .should()
        .accessTargetWhere(
            DescribedPredicate.describe(
                "starts a thread",
                access ->
                    access instanceof JavaCodeUnitAccess<?>
                        && (access.getTargetOwner().getFullName().equals(EXECUTORS)
                            || THREADS
                                .getOrDefault(access.getTargetOwner().getFullName(), Set.of())
                                .contains(access.getTarget().getName()))))
        .because("io.fairlead.work has the threads: SupervisedLoop and Tasks")
        .check(MAIN);
  }

  @Test
  void packagesHoldThreeTypesAtLeast() {
    Map<String, Long> types =
        SourceTree.mainTypes().stream()
            .map(file -> file.toString().replaceFirst(".*/io/fairlead/(.*)/[^/]*", "$1"))
            .collect(Collectors.groupingBy(name -> name, TreeMap::new, Collectors.counting()));
    types.keySet().removeAll(SMALL_PACKAGES);
    types.values().removeIf(count -> count >= 3);
    assertThat(types).isEmpty();
  }

  @Test
  void onlyTheKernelModuleTouchesForeignMemory() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.fairlead.kernel..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("java.lang.foreign..")
        .check(MAIN);
  }

  /// One place knows the library, so that one wrapper, one TLS policy and one set of bounds hold.
  @Test
  void onlyTheHttpModuleUsesJetty() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.fairlead.http.server..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.eclipse.jetty..")
        .check(MAIN);
  }

  /// The proxy, DNS and short commands start without Jetty. DNS over HTTPS loads it when a Corefile
  /// asks for it.
  @Test
  void whatStartsFastDoesNotReachJetty() {
    noClasses()
        .that()
        .resideInAnyPackage(
            "io.fairlead.proxy..",
            "io.fairlead.dns..",
            "io.fairlead.client..",
            "io.fairlead.http.message..",
            "io.fairlead.http.status..",
            "io.fairlead.http.tls..")
        .and()
        .haveSimpleNameNotStartingWith("Https")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.fairlead.http.server..")
        .check(MAIN);
  }

  /// One place decides what TLS means.
  @Test
  void onlyTheTlsPolicyMakesContexts() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.fairlead.http.tls..")
        .should()
        .callMethod(javax.net.ssl.SSLContext.class, "getInstance", String.class)
        .check(MAIN);
  }

  @TestFactory
  Stream<DynamicTest> packagesOfAModuleHaveNoCycles() {
    return modules().stream()
        .map(
            module ->
                DynamicTest.dynamicTest(
                    module,
                    () ->
                        slices()
                            .matching("io.fairlead." + module + ".(*)..")
                            .should()
                            .beFreeOfCycles()
                            .ignoreDependency(AUTHENTICATION, RESOURCE)
                            .allowEmptyShould(true)
                            .check(MAIN)));
  }

  private static Set<String> modules() {
    return MAIN.stream()
        .map(JavaClass::getPackageName)
        .map(ArchitectureTest::module)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String module(String packageName) {
    return packageName.split("\\.")[2];
  }
}

package io.fairlead.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.FairleadException;
import io.fairlead.app.cli.Provokes;
import io.fairlead.app.instance.Ports;
import io.fairlead.app.text.Language;
import io.fairlead.app.text.MessageCatalog;
import io.fairlead.proxy.config.ProxyConfiguration;
import io.fairlead.store.StoreException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FairleadTest {
  @TempDir Path directory;
  private final FakeComponentFactory assembly = new FakeComponentFactory();

  @Test
  void partsAreStartedInOrderAndClosedInReverse() {
    List<String> said = new ArrayList<>();
    Progress progress =
        new Progress() {
          @Override
          public void began(StartupStep step) {
            said.add("began " + step);
          }

          @Override
          public void finished(StartupStep step, String detail) {
            said.add("finished " + step);
          }
        };
    Fairlead fairlead = Fairlead.start(options(), assembly, progress);
    assertThat(Ports.answers("127.0.0.1", fairlead.port())).isTrue();
    assertThat(fairlead.url()).isEqualTo("https://127.0.0.1:" + fairlead.port());
    fairlead.close();
    fairlead.close();
    assertThat(assembly.closed).containsExactly("controllers", "server");
    assertThat(said)
        .containsExactly(
            "began STORE_AND_API",
            "finished STORE_AND_API",
            "began CONTROLLERS",
            "finished CONTROLLERS");
  }

  @Test
  void theNodeComesLastAndGoesFirst() {
    List<String> said = new ArrayList<>();
    Progress progress =
        new Progress() {
          @Override
          public void began(StartupStep step) {}

          @Override
          public void finished(StartupStep step, String detail) {
            said.add(step + " " + detail);
          }
        };
    Fairlead fairlead = Fairlead.start(withProxyAndNames(), assembly, progress);
    assertThat(fairlead.dump()).isEqualTo("all it knows");
    fairlead.close();
    assertThat(assembly.closed).containsExactly("dns", "proxy", "controllers", "server");
    assertThat(said.subList(1, said.size()))
        .containsExactly(
            "CONTROLLERS ", "PROXY pretended", "LOAD_BALANCER 10.112.0.0/24", "DNS 10.96.0.10");
  }

  @Test
  void anAddressTakenByAnotherNameServerIsNotBlamedOnTheApi() {
    assembly.dnsFailure =
        new UncheckedIOException(new BindException("cannot listen on 10.96.0.10:53"));
    FairleadException problem =
        catchThrowableOfType(
            FairleadException.class,
            () -> Fairlead.start(withProxyAndNames(), assembly, Progress.SILENT));
    assertThat(problem.code()).isEqualTo(ErrorCode.FL210);
    assertThat(problem.render(MessageCatalog.of(Language.EN)))
        .contains("the part \"DNS\" did not start", "10.96.0.10:53");
    assertThat(assembly.closed).containsExactly("proxy", "controllers", "server");
  }

  private Options withProxyAndNames() {
    Options plain = options();
    return new Options(
        plain.dataDirectory(),
        plain.server(),
        plain.etcd(),
        true,
        Optional.empty(),
        Optional.of(ProxyConfiguration::defaults),
        Optional.of(
            new Options.Dns(
                IpAddress.parse("10.96.0.10"),
                Cidr.parse("10.96.0.0/12"),
                53,
                Path.of("/etc/resolv.conf"))));
  }

  @Test
  @Provokes(ErrorCode.FL205)
  void aStoreThatDoesNotOpenIsNamed() {
    assembly.storeFailure = new StoreException("page 3 has a wrong checksum", null);
    FairleadException problem = failure();
    assertThat(problem.code()).isEqualTo(ErrorCode.FL205);
    assertThat(problem.render(MessageCatalog.of(Language.EN)))
        .contains("the store in " + directory.resolve("store"), "page 3 has a wrong checksum");
  }

  @Test
  @Provokes(ErrorCode.FL210)
  void aPartThatDoesNotStartIsNamedAndTheOthersAreClosed() {
    assembly.controllersFailure = new IllegalStateException("no such user");
    FairleadException problem = failure();
    assertThat(problem.code()).isEqualTo(ErrorCode.FL210);
    assertThat(problem.render(MessageCatalog.of(Language.EN)))
        .contains("the part \"controllers\" did not start", "no such user");
    assertThat(assembly.closed).containsExactly("server");
  }

  @Test
  void aPortTakenBetweenPreflightAndStartIsStillThatError() {
    assembly.serverFailure = new UncheckedIOException(new BindException("Address in use"));
    assertThat(failure().code()).isEqualTo(ErrorCode.FL202);
  }

  private FairleadException failure() {
    return catchThrowableOfType(
        FairleadException.class, () -> Fairlead.start(options(), assembly, Progress.SILENT));
  }

  private Options options() {
    return TestOptions.on(directory);
  }
}

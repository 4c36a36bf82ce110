package io.fairlead.agent.cri;

import com.google.protobuf.InvalidProtocolBufferException;
import io.fairlead.agent.cri.CriProto.ContainerMetadata;
import io.fairlead.agent.cri.CriProto.ContainerStats;
import io.fairlead.agent.cri.CriProto.ContainerStatus;
import io.fairlead.agent.cri.CriProto.CpuUsage;
import io.fairlead.agent.cri.CriProto.Image;
import io.fairlead.agent.cri.CriProto.ImageStatusResponse;
import io.fairlead.agent.cri.CriProto.ListContainerStatsResponse;
import io.fairlead.agent.cri.CriProto.PodSandboxMetadata;
import io.fairlead.agent.cri.CriProto.PodSandboxNetworkStatus;
import io.fairlead.agent.cri.CriProto.PodSandboxState;
import io.fairlead.agent.cri.CriProto.PodSandboxStatus;
import io.fairlead.agent.cri.CriProto.RuntimeCondition;
import io.fairlead.agent.cri.CriProto.RuntimeStatus;
import io.fairlead.agent.cri.CriProto.StatusResponse;
import io.fairlead.agent.cri.CriProto.UInt64Value;
import io.fairlead.work.testing.FuzzRun;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Damaged answers of an engine.
class CriFuzzTest {
  private static final List<Class<? extends Exception>> REFUSALS =
      List.of(InvalidProtocolBufferException.class);

  @Test
  void sandboxesAreReadOrRefused() {
    PodSandboxStatus valid =
        PodSandboxStatus.newBuilder()
            .setId("s1")
            .setState(PodSandboxState.SANDBOX_READY)
            .setCreatedAt(1_700_000_000_000_000_000L)
            .setMetadata(PodSandboxMetadata.newBuilder().setName("p").setNamespace("n").setUid("u"))
            .setNetwork(PodSandboxNetworkStatus.newBuilder().setIp("10.244.0.7"))
            .putAnnotations(CriRequests.GRACE, "30")
            .putAnnotations(CriRequests.LOGS, "/var/log/pods/n_p_u")
            .putAnnotations(CriRequests.CGROUP, "/kubepods/u")
            .build();
    FuzzRun.run(
        bytes -> CriResponses.sandbox(PodSandboxStatus.parseFrom(bytes)),
        List.of(valid.toByteArray()),
        REFUSALS);
  }

  @Test
  void containersAreReadOrRefused() {
    ContainerStatus valid =
        ContainerStatus.newBuilder()
            .setId("c1")
            .setMetadata(ContainerMetadata.newBuilder().setName("c").setAttempt(2))
            .setState(CriProto.ContainerState.CONTAINER_EXITED)
            .setStartedAt(1_700_000_000_000_000_000L)
            .setFinishedAt(1_700_000_001_000_000_000L)
            .setExitCode(3)
            .setReason("Error")
            .setImageRef("sha256:0")
            .putLabels(CriRequests.POD_UID, "u")
            .putAnnotations(CriRequests.HASH, "h")
            .build();
    FuzzRun.run(
        bytes -> CriResponses.container(ContainerStatus.parseFrom(bytes), "s1"),
        List.of(valid.toByteArray()),
        REFUSALS);
  }

  @Test
  void imagesFiguresAndConditionsAreReadOrRefused() {
    ListContainerStatsResponse stats =
        ListContainerStatsResponse.newBuilder()
            .addStats(
                ContainerStats.newBuilder()
                    .setCpu(
                        CpuUsage.newBuilder()
                            .setUsageCoreNanoSeconds(UInt64Value.newBuilder().setValue(12_345))))
            .build();
    FuzzRun.run(
        bytes -> {
          CriResponses.image(ImageStatusResponse.parseFrom(bytes));
          CriResponses.usage(ListContainerStatsResponse.parseFrom(bytes));
          CriResponses.problem(StatusResponse.parseFrom(bytes));
        },
        List.of(
            ImageStatusResponse.newBuilder()
                .setImage(Image.newBuilder().setId("i").addRepoDigests("r@sha256:0"))
                .build()
                .toByteArray(),
            stats.toByteArray(),
            StatusResponse.newBuilder()
                .setStatus(
                    RuntimeStatus.newBuilder()
                        .addConditions(
                            RuntimeCondition.newBuilder()
                                .setType("NetworkReady")
                                .setReason("none")))
                .build()
                .toByteArray()),
        REFUSALS);
  }
}

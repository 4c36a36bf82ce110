package io.fairlead.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Kills a writing process again and again: nothing acknowledged is lost, revisions never go back
/// or repeat, and a watch resumes without gap.
@Tag("slow")
class KillTest {
  private static final int KILLS = Integer.getInteger("fairlead.kills", 200);
  private static final int LANES = 2;

  @TempDir Path base;

  @Test
  void nothingAcknowledgedIsLostHoweverOftenTheProcessIsKilled() throws Exception {
    long seed = Long.getLong("fairlead.seed", 20261115L);
    ChildCommand command = ChildCommand.prepare(Files.createDirectory(base.resolve("child")));
    try (ExecutorService executor = Executors.newFixedThreadPool(LANES)) {
      List<Future<KillLane>> lanes = new ArrayList<>();
      for (int i = 0; i < LANES; i++) {
        KillLane lane = new KillLane(command, base.resolve("lane" + i), new Random(seed + i));
        Callable<KillLane> run = () -> lane.run(KILLS / LANES);
        lanes.add(executor.submit(run));
      }
      int acknowledged = 0;
      int early = 0;
      for (Future<KillLane> lane : lanes) {
        acknowledged += lane.get().acknowledged();
        early += lane.get().killedBeforeTheFirstCommit();
      }
      assertThat(acknowledged).as("commits acknowledged, seed " + seed).isGreaterThan(KILLS);
      assertThat(early).as("kills before a commit, seed " + seed).isBetween(1, KILLS / 2);
    }
  }
}

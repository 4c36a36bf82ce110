package io.fairlead.controller.endpointslice;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

/// Tables of vectors about slices: in memory here, through a server where a subclass says so.
public abstract class SliceVectors {
  private final List<SliceModel> open = new ArrayList<>();

  /// A Service as it is played with; a subclass may have a server behind it.
  protected SliceModel made() {
    return new SliceModel();
  }

  /// A fresh Service without pods. Closes the one before: there is one cluster for all.
  SliceModel model() {
    close();
    SliceModel model = made();
    open.add(model);
    return model;
  }

  @AfterEach
  public void close() {
    open.forEach(SliceModel::close);
    open.clear();
  }
}

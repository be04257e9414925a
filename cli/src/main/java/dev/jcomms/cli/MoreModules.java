package dev.jcomms.cli;

import dev.jcomms.cli.launch.JavaOptions;
import dev.jcomms.cli.launch.Program;
import dev.jcomms.cli.launch.SingleRank;
import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Commands that look at what users' modules bring: they begin anew, as the same process, with those
 * modules beside their own.
 */
public final class MoreModules {
  private MoreModules() {}

  /**
   * Runs a command of this program in place of the present one. Does not return.
   *
   * @param words the command's, without the module path
   */
  public static int become(String modulePath, List<String> words) {
    List<String> all = new ArrayList<>(List.of("dev.jcomms.cli/" + Main.class.getName()));
    all.addAll(words);
    List<String> places =
        Stream.of(modulePath.split(File.pathSeparator)).filter(s -> !s.isEmpty()).toList();
    JavaOptions options = new JavaOptions(List.of(), places, List.of());
    SingleRank.become(Program.java(all, true), options);
    throw new AssertionError("became nothing");
  }
}

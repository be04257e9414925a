package dev.jcomms.jccl.dsl.programs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jcomms.jccl.dsl.ProgramException;
import dev.jcomms.jccl.dsl.ProgramSource;
import dev.jcomms.jccl.plan.Plan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DslSourceTest {
  private static final String PROGRAM =
      """
      import static dev.jcomms.jccl.dsl.On.on;
      import dev.jcomms.jccl.dsl.*;
      import dev.jcomms.jccl.plan.Protocol;

      class Gather {
        static CollectiveProgram program(int ranks, Protocol protocol) {
          ProgramSpec spec = ProgramSpec.allGather("gather", ranks).protocol(protocol);
          return CollectiveProgram.define(spec, p -> {
            for (int rank : p.ranks()) {
              p.rank(rank).copy(p.rank(rank).input().all(), p.rank(rank).output().chunk(rank), on(0));
            }
          });
        }
      }
      """;

  @TempDir Path folder;

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("Gather.java"), text);
  }

  private String refused(Path file, String... arguments) {
    return assertThrows(ProgramException.class, () -> ProgramSource.load(file, arguments))
        .getMessage();
  }

  @Test
  void argumentsComeInOrderOrByName() throws IOException {
    Plan inOrder = ProgramSource.load(file(PROGRAM), "3", "ll").plan();
    assertEquals(3, inOrder.ranks().size());
    assertEquals(inOrder, ProgramSource.load(file(PROGRAM), "protocol=LL", "ranks=3").plan());
    assertEquals(inOrder, ProgramSource.load(file(PROGRAM), "protocol=LL", "3").plan());
  }

  @Test
  void aFileNeedsNeitherAClassNorAMainMethod() throws IOException {
    String method =
        PROGRAM
            .replaceFirst("class Gather \\{", "")
            .replaceFirst("\\}\\s*\\z", "")
            .replace("static Coll", "Coll");
    assertEquals(
        ProgramSource.load(file(PROGRAM), "3", "ll").plan(),
        ProgramSource.load(file(method), "3", "ll").plan());
    assertEquals(
        ProgramSource.load(file(PROGRAM), "3", "ll").plan(),
        ProgramSource.load(file(method + "void main() {}"), "3", "ll").plan());
    String wrong = refused(file(method.replace("p.ranks()", "p.rangs()")), "3", "ll");
    assertTrue(wrong.startsWith("Gather.java:9: "), wrong);
  }

  @Test
  void argumentsThatDoNotFitAreNamed() throws IOException {
    Path file = file(PROGRAM);
    assertEquals(
        "Gather.java: 1 arguments do not say which to call:"
            + " Gather.program(int ranks, Protocol protocol)",
        refused(file, "3"));
    assertEquals("Gather.java: ranks=three is not a int", refused(file, "three", "LL"));
    assertEquals("Gather.java: protocol=LL128 is not a Protocol", refused(file, "3", "LL128"));
  }

  @Test
  void whatDoesNotCompileIsShownWithItsLine() throws IOException {
    String message = refused(file(PROGRAM.replace("on(0)", "un(0)")), "3", "LL");
    assertTrue(message.startsWith("Gather.java:10: cannot find symbol"), message);
  }

  @Test
  void whatMakesNoSenseIsShownWithItsLine() throws IOException {
    assertEquals(
        "Gather.java:10: output[4:5] of rank 0 is not within its 3 chunks",
        refused(file(PROGRAM.replace("chunk(rank)", "chunk(rank + 4)")), "3", "LL"));
  }

  @Test
  void whatItThrowsIsShownWithItsLine() throws IOException {
    assertEquals(
        "Gather.java:10: Gather.program(int ranks, Protocol protocol) failed:"
            + " java.lang.ArithmeticException: / by zero",
        refused(file(PROGRAM.replace("chunk(rank)", "chunk(rank / (ranks - 3))")), "3", "LL"));
  }

  @Test
  void aFileWithoutAProgramIsRefused() throws IOException {
    assertEquals(
        "Gather.java: has no method `static CollectiveProgram program(int ranks)`",
        refused(file("class Gather {}")));
  }

  @Test
  void aFileNeedsNoClassDeclaration() throws IOException {
    String body =
        """
        import dev.jcomms.jccl.dsl.*;

        CollectiveProgram program(int ranks) {
          return CollectiveProgram.define(ProgramSpec.allReduce("nothing", ranks), p -> {});
        }

        void main() {
          IO.println(program(2).plan().toJson());
        }
        """;
    assertEquals("nothing", ProgramSource.load(file(body), "2").plan().name());
  }

  @Test
  void aFileThatIsNotThereIsNotThere() {
    assertThrows(
        NoSuchFileException.class, () -> ProgramSource.load(folder.resolve("Absent.java"), "2"));
  }
}

package dev.jcomms.cli.launch;

import java.nio.file.Path;
import java.util.Optional;

/** A source program after compilation: where its classes are and which of them to start. */
record CompiledSource(Path classes, Optional<String> module, String mainClass) {}

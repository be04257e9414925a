package dev.jcomms.cli;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** What an exception about a file says, in words: Java's often say the file's name and no more. */
final class FileTrouble {
  private FileTrouble() {}

  /** {@code FILE: reason}. */
  static String describe(IOException e) {
    boolean named = e instanceof FileSystemException about && about.getFile() != null;
    return named ? ((FileSystemException) e).getFile() + ": " + reason(e) : reason(e);
  }

  static String reason(IOException e) {
    return switch (e) {
      case NoSuchFileException _ -> "no such file or folder";
      case AccessDeniedException _ -> "permission denied";
      case FileAlreadyExistsException _ -> "is there already, and no folder";
      case NotDirectoryException _ -> "not a folder";
      case DirectoryNotEmptyException _ -> "the folder is not empty";
      case FileSystemException about when about.getReason() != null -> about.getReason();
      default -> e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    };
  }
}

/// A pet fed by restraint: the words of the piece are in here.
public enum Unhooked {}

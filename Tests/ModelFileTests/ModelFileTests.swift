import ModelFile
import Testing

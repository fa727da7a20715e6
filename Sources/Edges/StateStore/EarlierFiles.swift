import Files
import FoundationEssentials
import Glibc
import SystemPackage
import Venue

/// The files in which earlier versions kept their state. One that is there is newer than the database, since it is removed as soon as
/// its value is committed. Thread: the store's.
struct EarlierFiles {
    private(set) var hearingDay: HearingDay?
    private(set) var preset: ChosenPreset?
    private(set) var damage: [Damage] = []
    /// What was read, to be removed when it is committed.
    private var taken: [FilePath] = []

    /// Sets damaged files aside. One that the disk did not give stays where it is.
    init(in directory: FilePath) {
        hearingDay = read(directory.appending("hearing.json"), .hearingDay)
        preset = read(directory.appending("preset.json"), .preset)
    }

    var changes: [Change] { (hearingDay.map { [.hear($0)] } ?? []) + (preset.map { [.choose($0)] } ?? []) }

    func remove() {
        for path in taken { unlink(path.string) }
    }

    private mutating func read<Value: Decodable & Sendable>(_ path: FilePath, _ holding: Damage.Holding) -> Value? {
        do {
            let value = try JSONDecoder().decode(Value.self, from: Data(PlainFile.bytes(of: path, atMost: 1 << 20)))
            taken.append(path)
            return value
        } catch Errno.noSuchFileOrDirectory, Errno.notDirectory {
            return nil
        } catch where error is Errno || BlockingWork.isGivenUp(error) {
            damage.append(Damage(of: holding, path, written: nil, aside: nil, reason: "\(error)"))
        } catch {
            let written = StateFile.changed(path.string)
            let aside = StateFile.nameAside(path)
            let isAside = rename(path.string, aside.string) == 0
            damage.append(Damage(of: holding, path, written: written, aside: isAside ? aside : nil,
                                 reason: error is DecodingError ? "it makes no sense" : "\(error)"))
        }
        return nil
    }
}

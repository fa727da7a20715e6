import Files
import Fleet
import Testing

/// The entries are those of the test vectors of Certificate Transparency's reference implementation. Roots and paths were computed from RFC
/// 6962's own definitions (2.1 and 2.1.1), written down in ten lines of Python over hashlib.sha256; the roots are the published ones.
@Suite struct MerkleTreeTests {
    private static let entries: [[UInt8]] = [[], [0x00], [0x10], [0x20, 0x21], [0x30, 0x31], Array(0x40...0x43), Array(0x50...0x57), Array(0x60...0x6F)]
    private static let roots = [
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
        "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
        "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
        "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
        "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
        "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
        "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
    ]

    private func tree(_ count: Int) -> MerkleTree { MerkleTree(Array(Self.entries.prefix(count))) { Digest.of($0) } }

    @Test(arguments: 0...8) func `roots are those of Certificate Transparency`(count: Int) {
        #expect(Digest.hexadecimal(tree(count).root) == Self.roots[count])
    }

    @Test(arguments: [
        (0, 8, ["96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
                "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
                "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4"]),
        (5, 8, ["bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
                "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
                "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7"]),
        (2, 3, ["fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"]),
        (1, 5, ["6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
                "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
                "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b"]),
    ])
    func `paths are those of the RFC`(index: Int, count: Int, path: [String]) {
        #expect(tree(count).path(of: index).map { Digest.hexadecimal($0) } == path)
    }

    @Test(arguments: 1...8) func `a path shows its own entry at its own place, and nothing else`(count: Int) {
        let tree = tree(count)
        for index in 0..<count {
            func shows(_ path: [[UInt8]], _ entry: [UInt8], _ index: Int, _ root: [UInt8]) -> Bool {
                MerkleTree.shows(path, that: entry, at: index, of: count, belongsTo: root) { Digest.of($0) }
            }
            let (path, entry) = (tree.path(of: index), Self.entries[index])
            #expect(shows(path, entry, index, tree.root))
            #expect(!shows(path, entry + [1], index, tree.root))
            #expect(!shows(path, entry, count, tree.root) && !shows(path, entry, -1, tree.root))
            #expect(!shows(path, entry, index, Digest.of(tree.root)))
            #expect(!shows(path + [tree.root], entry, index, tree.root))
            if count > 1 {
                #expect(!shows(Array(path.dropLast()), entry, index, tree.root))
                #expect(!shows(path, entry, (index + 1) % count, tree.root))
            }
        }
    }
}

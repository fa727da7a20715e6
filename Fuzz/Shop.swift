import SignedReceipts

/// Whose receipts count while they are fuzzed: made by Tests/SignedReceiptsTests/receipts.py, as the first of Fuzz/corpus/receipts.txt.
enum Shop {
    /// When they were shown, in seconds since 1970-01-01 in UTC.
    static let now = 1_800_000_000

    static let verifiers = [ReceiptVerifier.Trust.root(in: Array(root.utf8)), .key(in: Array(key.utf8))].map { trust in
        guard let trust else { preconditionFailure("it is a certificate, or a key") }
        return ReceiptVerifier(trust, bundleId: "org.example.bank")
    }

    private static let root = """
        -----BEGIN CERTIFICATE-----
        MIIBgzCCASmgAwIBAgIUDx+FqF5iFEvG8hHvJwM3Bh+tgUIwCgYIKoZIzj0EAwIw
        DzENMAsGA1UEAwwEcm9vdDAeFw0yNjAxMTUwODAwMDBaFw0yODAxMTUwODAwMDBa
        MA8xDTALBgNVBAMMBHJvb3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQ43Uev
        9eSyGfywrmo/HKNMNAHCdM0bxrD5RUs/FmSw9icQ+4iSlOjeUPRTAlfwf5u9O9Uf
        8E1a3lvgPziOneq3o2MwYTAPBgNVHRMBAf8EBTADAQH/MB0GA1UdDgQWBBRLPCrg
        /6xIUWNiuTmK7NupTZZlvzAfBgNVHSMEGDAWgBRLPCrg/6xIUWNiuTmK7NupTZZl
        vzAOBgNVHQ8BAf8EBAMCAQYwCgYIKoZIzj0EAwIDSAAwRQIhALcPpAbQIvVyAUe2
        piFPFoUUJR07ulK+aKXF5/H46xKWAiBG3X6uOjS8314of6dF/UW4CnteAxxiDMDv
        y5DXbER28Q==
        -----END CERTIFICATE-----
        """

    private static let key = """
        -----BEGIN PUBLIC KEY-----
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEAma2l6j0VwXAZzEHgYZWfTpETgtD
        nVHS4d/lUupOlrxTVYQCDwDV/LzSLNcIqeA8iXpkEi4nawqI385DMHocyw==
        -----END PUBLIC KEY-----
        """
}

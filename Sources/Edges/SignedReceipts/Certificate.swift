import CCrypto

/// An X.509 certificate, handled by OpenSSL. Used by one thread.
final class Certificate {
    let x509: OpaquePointer

    private init(_ x509: OpaquePointer) { self.x509 = x509 }

    deinit { X509_free(x509) }

    /// Reads a certificate in DER; nil for anything else, and where further bytes follow.
    convenience init?(der: [UInt8]) {
        let parsed: OpaquePointer? = der.withUnsafeBufferPointer { bytes in
            var next = bytes.baseAddress
            guard let x509 = d2i_X509(nil, &next, bytes.count) else { return nil }
            guard let start = bytes.baseAddress, next == start + bytes.count else {
                X509_free(x509)
                return nil
            }
            return x509
        }
        ERR_clear_error()
        guard let parsed else { return nil }
        self.init(parsed)
    }

    /// Reads the first certificate in `pem`; nil where there is none.
    convenience init?(pem: [UInt8]) {
        // OpenSSL refers to these bytes until it has parsed them.
        let parsed = pem.withUnsafeBytes { pem in
            let bio = BIO_new_mem_buf(pem.baseAddress, Int32(pem.count))
            defer { BIO_free(bio) }
            return PEM_read_bio_X509(bio, nil, nil, nil)
        }
        ERR_clear_error()
        guard let parsed else { return nil }
        self.init(parsed)
    }

    var der: [UInt8] {
        var bytes: UnsafeMutablePointer<UInt8>?
        let count = i2d_X509(x509, &bytes)
        defer { CRYPTO_free(bytes, nil, 0) }
        return bytes.map { Array(UnsafeBufferPointer(start: $0, count: Int(max(0, count)))) } ?? []
    }

    /// The certificate's public key; nil where there is none.
    var key: PublicKey? { X509_get_pubkey(x509).map { PublicKey($0) } }

    /// Whether the certificate's key may sign other certificates.
    var isAuthority: Bool { X509_check_ca(x509) != 0 }

    /// Whether the certificate says that its key is for digital signatures (RFC 5280, section 4.2.1.3).
    var signsData: Bool {
        X509_get_extension_flags(x509) & UInt32(EXFLAG_KUSAGE) != 0 && X509_get_key_usage(x509) & UInt32(KU_DIGITAL_SIGNATURE) != 0
    }

    /// Says whether the certificate has an extension with this object identifier.
    func hasExtension(_ identifier: String) -> Bool {
        let object = OBJ_txt2obj(identifier, 1)
        defer { ASN1_OBJECT_free(object) }
        return X509_get_ext_by_OBJ(x509, object, -1) >= 0
    }

    /// Verifies the chain from this certificate through `intermediate` to `root` at the time `now`, in seconds since 1970-01-01 in UTC (RFC
    /// 5280, section 6). Returns nil if exactly this chain is valid; else OpenSSL's error.
    func error(over intermediate: Certificate, to root: Certificate, at now: Int) -> Int32? {
        let store = X509_STORE_new()
        defer { X509_STORE_free(store) }
        let others = OPENSSL_sk_new_null()
        defer { OPENSSL_sk_free(others) }
        let context = X509_STORE_CTX_new()
        defer {
            X509_STORE_CTX_free(context)
            ERR_clear_error()
        }
        guard X509_STORE_add_cert(store, root.x509) == 1, OPENSSL_sk_push(others, UnsafeRawPointer(intermediate.x509)) > 0,
              X509_STORE_CTX_init(context, store, x509, others) == 1 else { return X509_V_ERR_UNSPECIFIED }
        let parameters = X509_STORE_CTX_get0_param(context)
        X509_VERIFY_PARAM_set_time(parameters, time_t(now))
        // Security level 2 requires 112 bits: no SHA-1, and no RSA with less than 2,048 bits.
        X509_VERIFY_PARAM_set_auth_level(parameters, 2)
        guard X509_verify_cert(context) == 1 else { return X509_STORE_CTX_get_error(context) }
        // OpenSSL may have found another chain than that through `intermediate`.
        let way = X509_STORE_CTX_get0_chain(context)
        let wanted = [x509, intermediate.x509, root.x509]
        let isWanted = Int(OPENSSL_sk_num(way)) == wanted.count && wanted.indices.allSatisfy { index in
            OPENSSL_sk_value(way, Int32(index)).map { X509_cmp(OpaquePointer($0), wanted[index]) == 0 } ?? false
        }
        return isWanted ? nil : X509_V_ERR_SUBJECT_ISSUER_MISMATCH
    }
}

/// A public key, handled by OpenSSL. Used by one thread.
final class PublicKey {
    private let key: OpaquePointer

    fileprivate init(_ key: OpaquePointer) { self.key = key }

    deinit { EVP_PKEY_free(key) }

    /// Reads the first public key in `pem`; nil where there is none.
    convenience init?(pem: [UInt8]) {
        // OpenSSL refers to these bytes until it has parsed them.
        let parsed = pem.withUnsafeBytes { pem in
            let bio = BIO_new_mem_buf(pem.baseAddress, Int32(pem.count))
            defer { BIO_free(bio) }
            return PEM_read_bio_PUBKEY(bio, nil, nil, nil)
        }
        ERR_clear_error()
        guard let parsed else { return nil }
        self.init(parsed)
    }

    /// Whether the key is on the curve P-256, as ES256 requires.
    var isP256: Bool {
        var name = [CChar](repeating: 0, count: 32)
        var length = 0
        let isNamed = EVP_PKEY_get_group_name(key, &name, name.count, &length) == 1
        ERR_clear_error()
        return isNamed && name.prefix(length).map { UInt8(bitPattern: $0) } == Array("prime256v1".utf8)
    }

    /// Says whether `signature` was made with this key over the bytes `signed`. The signature consists of the numbers r and s, as in JWS
    /// (RFC 7518, section 3.4).
    func verifies(_ signature: [UInt8], of signed: [UInt8]) -> Bool {
        let half = signature.count / 2
        let pair = ECDSA_SIG_new()
        defer { ECDSA_SIG_free(pair) }
        // From here on the pair owns both numbers.
        guard ECDSA_SIG_set0(pair, BN_bin2bn(signature, Int32(half), nil),
                             BN_bin2bn(Array(signature[half...]), Int32(signature.count - half), nil)) == 1 else { return false }
        var der: UnsafeMutablePointer<UInt8>?
        let length = i2d_ECDSA_SIG(pair, &der)
        defer { CRYPTO_free(der, nil, 0) }
        guard length > 0 else { return false }
        let context = EVP_MD_CTX_new()
        defer {
            EVP_MD_CTX_free(context)
            ERR_clear_error()
        }
        return EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key) == 1
            && EVP_DigestVerify(context, der, Int(length), signed, signed.count) == 1
    }
}

#!/usr/bin/env python3
"""Makes a chain of certificates as Apple's is, and receipts that it signs: good ones, and wrong ones with the reason for which each is
refused. Prints them as JSON. Signed by python3-cryptography, and so by no code of ours.

    receipts.py NOW
"""
import base64
import datetime
import hashlib
import hmac
import json
import sys

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa, utils
from cryptography.x509.oid import NameOID, ObjectIdentifier

now = int(sys.argv[1])
today = datetime.datetime.utcfromtimestamp(now)
YEAR = datetime.timedelta(days=365)
LEAF_MARK, AUTHORITY_MARK = "1.2.840.113635.100.6.11.1", "1.2.840.113635.100.6.2.1"


class Party:
    """A key and its certificate."""

    def __init__(self, name, issuer=None, authority=True, begin=today - YEAR, end=today + YEAR, mark=None, key=None, usage=True, path=None,
                 critical=None):
        self.name, self.key = name, key or ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        signer = issuer or self
        builder = (x509.CertificateBuilder().subject_name(subject)
                   .issuer_name(issuer.certificate.subject if issuer else subject).public_key(self.key.public_key())
                   .serial_number(x509.random_serial_number()).not_valid_before(begin).not_valid_after(end)
                   .add_extension(x509.BasicConstraints(ca=authority, path_length=path), critical=True)
                   .add_extension(x509.SubjectKeyIdentifier.from_public_key(self.key.public_key()), critical=False)
                   .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.key.public_key()), critical=False))
        if usage is not None:
            signs, certifies = (not authority and usage, authority and usage)
            builder = builder.add_extension(x509.KeyUsage(
                digital_signature=signs, content_commitment=False, key_encipherment=not usage and not authority, data_encipherment=False,
                key_agreement=False, key_cert_sign=certifies, crl_sign=authority, encipher_only=False, decipher_only=False), critical=True)
        if mark:
            builder = builder.add_extension(x509.UnrecognizedExtension(ObjectIdentifier(mark), b"\x05\x00"), critical=False)
        if critical:
            builder = builder.add_extension(x509.UnrecognizedExtension(ObjectIdentifier(critical), b"\x05\x00"), critical=True)
        self.certificate = builder.sign(signer.key, hashes.SHA256())
        self.der = self.certificate.public_bytes(serialization.Encoding.DER)


def text(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def chain(*parties):
    return [base64.b64encode(party if isinstance(party, bytes) else party.der).decode() for party in parties]


def es256(key, signed):
    r, s = utils.decode_dss_signature(key.sign(signed, ec.ECDSA(hashes.SHA256())))
    return r.to_bytes(32, "big") + s.to_bytes(32, "big")


root = Party("root")
authority = Party("authority", root, mark=AUTHORITY_MARK, path=0)
leaf = Party("leaf", authority, authority=False, mark=LEAF_MARK)
payload = {
    "transactionId": "1000", "originalTransactionId": "1000", "productId": "coins_100", "bundleId": "org.example.bank",
    "environment": "Production", "purchaseDate": now * 1000 - 60_000, "quantity": 1, "type": "Consumable", "signedDate": now * 1000,
}


def jws(header=None, body=None, key=None, sign=None, parties=None, raw_header=None, raw_body=None):
    header = {"alg": "ES256", "x5c": chain(*(parties or [leaf, authority, root])), **(header or {})}
    header = {name: value for name, value in header.items() if value is not ...}
    body = {name: value for name, value in {**payload, **(body or {})}.items() if value is not ...}
    first = text(raw_header if raw_header is not None else json.dumps(header).encode())
    second = text(raw_body if raw_body is not None else json.dumps(body).encode())
    signed = (first + "." + second).encode()
    return first + "." + second + "." + text(sign(signed) if sign else es256(key or leaf.key, signed))


good = jws()
head, middle, tail = good.split(".")
signature = base64.urlsafe_b64decode(tail + "==")
order = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
public = leaf.key.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
wrong = []


def refuse(reason, name, receipt):
    wrong.append({"name": name, "reason": reason, "receipt": receipt})


def by(*parties):
    return jws(parties=list(parties), key=parties[0].key)


# The text.
refuse("length", "40,000 bytes", jws(body={"filler": "x" * 30_000}))
refuse("segments", "empty", "")
refuse("segments", "one word", "receipt")
refuse("segments", "without a signature's part", head + "." + middle)
refuse("segments", "a fourth part", good + ".e30")
refuse("segments", "a dot at the end", good + ".")
refuse("segments", "JWE's five parts", good + "..")
refuse("base64", "padding", head + "==." + middle + "." + tail)
refuse("base64", "the other base64", head + "." + middle + "." + tail[:-2] + "+/")
refuse("base64", "a space", " " + good)
refuse("base64", "a line's end", good + "\n")
refuse("base64", "no text", head + "." + middle + ".é")
refuse("base64", "an empty header", "." + middle + "." + tail)
refuse("base64", "an empty payload", head + ".." + tail)
refuse("base64", "an empty signature", head + "." + middle + ".")
refuse("base64", "a length that no bytes have", head + "." + middle + "A" * (1 + -len(middle) % 4) + "." + tail)
refuse("base64", "bits left over", head + "." + middle + "." + tail[:-1] + chr(ord(tail[-1]) + 1))
refuse("signature", "cut in the signature", good[:-2])
refuse("signature", "a byte too many", head + "." + middle + "." + text(signature + b"\0"))
# The header.
refuse("header", "a header of no JSON", jws(raw_header=b"{"))
refuse("header", "a header that is a list", jws(raw_header=b"[]"))
refuse("header", "lists nine deep", jws({"x": [[[[[[[[1]]]]]]]]}))
refuse("header", "lists 10,000 deep", jws(raw_header=b'{"alg":"ES256","x":' + b"[" * 10_000 + b"]" * 10_000 + b"}"))
refuse("header", "alg twice", jws(raw_header=b'{"alg":"ES256","alg":"none"}'))
refuse("header", "a header of bytes", jws(raw_header=b"\xff\xfe"))
refuse("header", "x5c a text", jws({"x5c": chain(leaf)[0]}))
refuse("algorithm", "alg none, with a signature", jws({"alg": "none"}))
refuse("base64", "alg none, without one", ".".join(jws({"alg": "none"}).split(".")[:2]) + ".")
refuse("algorithm", "alg None", jws({"alg": "None"}))
refuse("algorithm", "no alg", jws({"alg": ...}))
refuse("algorithm", "alg a number", jws({"alg": 256}))
refuse("algorithm", "alg a list", jws({"alg": ["ES256"]}))
refuse("algorithm", "HS256 with the public key",
       jws({"alg": "HS256"}, sign=lambda signed: hmac.new(public, signed, hashlib.sha256).digest()))
refuse("algorithm", "RS256", jws({"alg": "RS256"}))
refuse("algorithm", "ES384", jws({"alg": "ES384"}))
refuse("algorithm", "es256 in lower case", jws({"alg": "es256"}))
refuse("criticalHeader", "crit", jws({"crit": ["exp"], "exp": 1}))
# The chain.
refuse("chainMissing", "no x5c", jws({"x5c": ...}))
refuse("chainMissing", "jwk in place of x5c", jws({"x5c": ..., "jwk": {"kty": "EC"}}))
refuse("chainLength", "an empty chain", jws({"x5c": []}))
refuse("chainLength", "the leaf alone", jws({"x5c": chain(leaf)}))
refuse("chainLength", "without the root", jws({"x5c": chain(leaf, authority)}))
refuse("chainLength", "the root twice", jws({"x5c": chain(leaf, authority, root, root)}))
under = Party("under", authority, mark=AUTHORITY_MARK)
refuse("chainLength", "an authority too many", by(Party("deep", under, authority=False, mark=LEAF_MARK), under, authority, root))
refuse("chainLength", "a hundred certificates", jws({"x5c": chain(*[leaf.der[:40]] * 100)}))
refuse("certificate", "no base64", jws({"x5c": ["%"] + chain(authority, root)}))
refuse("certificate", "a number", jws({"x5c": [1] + chain(authority, root)}))
refuse("certificate", "no certificate", jws({"x5c": chain(b"leaf", authority, root)}))
refuse("certificate", "a leaf that is cut off", jws({"x5c": chain(leaf.der[:-9], authority, root)}))
refuse("certificate", "a byte after the leaf", jws({"x5c": chain(leaf.der + b"\0", authority, root)}))
refuse("certificate", "an authority of zeros", jws({"x5c": chain(leaf, bytes(500), root)}))
other = Party("root")
other_authority = Party("authority", other, mark=AUTHORITY_MARK)
other_leaf = Party("leaf", other_authority, authority=False, mark=LEAF_MARK)
refuse("untrusted", "another root of the same name", by(other_leaf, other_authority, other))
refuse("untrusted", "another's chain with our root at its end", by(other_leaf, other_authority, root))
refuse("untrusted", "our authority over another's leaf", by(other_leaf, authority, root))
refuse("untrusted", "the chain turned around", jws({"x5c": chain(root, authority, leaf)}))
refuse("untrusted", "the leaf as its own authority", by(leaf, leaf, root))
refuse("untrusted", "a leaf of the root itself, with our authority beside it", by(Party("leaf", root, authority=False, mark=LEAF_MARK), authority, root))
forged = bytearray(leaf.der)
forged[-5] ^= 1
refuse("untrusted", "a leaf whose signature is another", jws({"x5c": chain(bytes(forged), authority, root)}))
small = rsa.generate_private_key(public_exponent=65537, key_size=1024)
refuse("untrusted", "a key of RSA that is too weak", jws(
    parties=[Party("leaf", authority, authority=False, mark=LEAF_MARK, key=small), authority, root], sign=lambda signed: bytes(64)))
refuse("untrusted", "a critical extension that nobody knows",
       by(Party("leaf", authority, authority=False, mark=LEAF_MARK, critical="1.3.6.1.4.1.99999.1"), authority, root))
wide = Party("wide", root, mark=AUTHORITY_MARK)
refuse("keyUsage", "a leaf that is an authority", by(Party("leaf", wide, mark=LEAF_MARK), wide, root))
ended = dict(begin=today - 2 * YEAR, end=today - datetime.timedelta(seconds=1))
coming = dict(begin=today + datetime.timedelta(days=2), end=today + YEAR)
refuse("expired", "an expired leaf", by(Party("leaf", authority, authority=False, mark=LEAF_MARK, **ended), authority, root))
old = Party("authority", root, mark=AUTHORITY_MARK, **ended)
refuse("expired", "an expired authority", by(Party("leaf", old, authority=False, mark=LEAF_MARK), old, root))
refuse("notYetValid", "a leaf of tomorrow", by(Party("leaf", authority, authority=False, mark=LEAF_MARK, **coming), authority, root))
weak = Party("weak", root, authority=False, mark=AUTHORITY_MARK)
refuse("keyUsage", "a leaf under a leaf", by(Party("leaf", weak, authority=False, mark=LEAF_MARK), weak, root))
idle = Party("idle", root, mark=AUTHORITY_MARK, usage=False)
refuse("keyUsage", "an authority that may not sign certificates", by(Party("leaf", idle, authority=False, mark=LEAF_MARK), idle, root))
refuse("keyUsage", "a leaf that may only encrypt",
       by(Party("leaf", authority, authority=False, mark=LEAF_MARK, usage=False), authority, root))
refuse("keyUsage", "a leaf that says nothing of its key",
       by(Party("leaf", authority, authority=False, mark=LEAF_MARK, usage=None), authority, root))
refuse("purpose", "a leaf without its mark", by(Party("leaf", authority, authority=False), authority, root))
plain = Party("plain", root)
refuse("purpose", "an authority without its mark", by(Party("leaf", plain, authority=False, mark=LEAF_MARK), plain, root))
wider = ec.generate_private_key(ec.SECP384R1())
refuse("keyType", "a key of P-384", jws(parties=[Party("leaf", authority, authority=False, mark=LEAF_MARK, key=wider), authority, root],
                                        sign=lambda signed: bytes(64)))
big = rsa.generate_private_key(public_exponent=65537, key_size=2048)
refuse("keyType", "a key of RSA", jws(parties=[Party("leaf", authority, authority=False, mark=LEAF_MARK, key=big), authority, root],
                                      sign=lambda signed: big.sign(signed, padding.PKCS1v15(), hashes.SHA256())[:64]))
# The signature.
more = text(json.dumps({**payload, "productId": "coins_500"}).encode())
refuse("signature", "another payload", head + "." + more + "." + tail)
refuse("signature", "another header", text(json.dumps({"alg": "ES256", "x5c": chain(leaf, authority, root), "kid": "1"}).encode())
       + "." + middle + "." + tail)
refuse("signature", "the signature of another receipt", head + "." + middle + "." + jws(body={"transactionId": "7"}).split(".")[2])
refuse("signature", "another's key", jws(key=other_leaf.key))
refuse("signature", "the authority's key", jws(key=authority.key))
refuse("signature", "zeros", jws(sign=lambda signed: bytes(64)))
refuse("signature", "r and s as large as they go", jws(sign=lambda signed: b"\xff" * 64))
refuse("signature", "r and s as large as the curve's order", jws(sign=lambda signed: 2 * order.to_bytes(32, "big")))
refuse("signature", "r and s changed", jws(sign=lambda signed: (lambda both: both[32:] + both[:32])(es256(leaf.key, signed))))
refuse("signature", "in DER", jws(sign=lambda signed: leaf.key.sign(signed, ec.ECDSA(hashes.SHA256()))))
refuse("signature", "of the payload alone", jws(sign=lambda signed: es256(leaf.key, signed.split(b".")[1])))
# What it says.
refuse("payload", "a payload of no JSON", jws(raw_body=b"{"))
refuse("payload", "a payload of bytes", jws(raw_body=b"\xff"))
refuse("payload", "lists nine deep", jws(body={"x": [[[[[[[[1]]]]]]]]}))
refuse("fields", "a payload that is a list", jws(raw_body=b"[]"))
refuse("fields", "the product twice",
       jws(raw_body=json.dumps(payload).encode()[:-1] + b', "productId": "coins_500"}'))
for name in ["transactionId", "originalTransactionId", "productId", "bundleId", "environment", "purchaseDate", "quantity"]:
    refuse("fields", "no " + name, jws(body={name: ...}))
for name, value in [("transactionId", 1000), ("transactionId", "x" * 65), ("productId", None), ("purchaseDate", "today"),
                    ("purchaseDate", -1), ("purchaseDate", 0.5), ("quantity", 0), ("quantity", -1), ("quantity", 101),
                    ("revocationDate", "today"),
                    ("revocationReason", 2), ("environment", "Xcode")]:
    refuse("fields", "%s %r" % (name, value if not isinstance(value, str) else value[:9]), jws(body={name: value}))
for name, more in [("a part without how much", {"revocationType": "REFUND_PRORATED"}), ("another type", {"revocationType": "REFUND"}),
                   ("more than all", {"revocationPercentage": 100_001}), ("less than nothing", {"revocationPercentage": -1}),
                   ("half a thousandth", {"revocationPercentage": 0.5})]:
    refuse("fields", name, jws(body={"revocationDate": now * 1000, **more}))
refuse("fields", "a part of a purchase that stands", jws(body={"revocationPercentage": 50_000}))
refuse("fields", "a type of a purchase that stands", jws(body={"revocationType": "REFUND_FULL"}))


def part(percentage, transaction="1001", product="coins_500", quantity=2):
    return jws(body={"transactionId": transaction, "originalTransactionId": transaction, "productId": product, "quantity": quantity,
                     "revocationDate": now * 1000, "revocationReason": 1, "revocationType": "REFUND_PRORATED",
                     "revocationPercentage": percentage, "bought": 9_000, "takenBack": 1})

refuse("bundle", "another app", jws(body={"bundleId": "org.example.other"}))
refuse("bundle", "another app whose name begins so", jws(body={"bundleId": "org.example.bank.clone"}))
refuse("environment", "the sandbox", jws(body={"environment": "Sandbox"}))
refuse("future", "bought in two days", jws(body={"purchaseDate": now * 1000 + 2 * 86_400_000}))
refuse("future", "refunded in two days", jws(body={"revocationDate": now * 1000 + 2 * 86_400_000}))

pem = serialization.Encoding.PEM
own = ec.generate_private_key(ec.SECP256R1())
print(json.dumps({
    "root": root.certificate.public_bytes(pem).decode(),
    "good": good,
    "refund": jws(body={"revocationDate": now * 1000, "revocationReason": 0}),
    "second": jws(body={"transactionId": "1001", "originalTransactionId": "1001", "productId": "coins_500", "quantity": 2}),
    "half": part(50_000), "more": part(67_932), "less": part(40_000), "all": part(100_000), "nothing": part(0),
    "greedy": jws(body={"quantity": 100, "revocationDate": now * 1000}),
    "stalePart": part(50_000, "1003", "coins_100", 1),
    "other": jws(body={"transactionId": "1002", "originalTransactionId": "1002", "productId": "coins_9000"}),
    "stale": jws(body={"transactionId": "1003", "originalTransactionId": "1003"}),
    "staleRefund": jws(body={"transactionId": "1003", "originalTransactionId": "1003", "revocationDate": now * 1000}),
    "sandbox": jws(body={"environment": "Sandbox"}),
    "key": own.public_key().public_bytes(pem, serialization.PublicFormat.SubjectPublicKeyInfo).decode(),
    "byKey": jws({"x5c": ...}, key=own),
    "wrong": wrong,
}))
